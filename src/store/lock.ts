import { readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { identityOf, isExact, isRunning, pidOf } from './process-identity.js'

/**
 * Makes this process the owner of what the lock file at `path` stands for, and answers how to release it. The lock of a
 * process that has ended is replaced. Throws an Error that names the owner while there is one, which may be this
 * process itself. Only one process at a time may call this for the same path.
 */
export function acquireLock(path: string): () => void {
  const owner = readOwner(path)
  if (owner !== undefined && isRunning(owner)) throw new Error(reasonOf(owner, path))
  const own = identityOf(process.pid) ?? String(process.pid)
  // In one step, so that a crash never leaves half an identity.
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, own, { mode: 0o600 })
  renameSync(draft, path)
  return () => {
    if (readOwner(path) === own) unlinkSync(path)
  }
}

function readOwner(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function reasonOf(owner: string, path: string): string {
  const reason = `it is in use by the Candela service with process id ${pidOf(owner)}`
  return isExact(owner) ? reason : `${reason} (if that is another program, remove "${path}")`
}

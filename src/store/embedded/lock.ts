import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'

// Systems reuse the number of an ended process. So a process is identified by its number and, if the system shows it (Linux),
// by its start time: `<number>-<boot>-<ticks since the boot>`. On other systems the number alone must suffice.

const separator = '-'

/** Returns eight characters that identify the boot of this machine. */
const bootOf = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)

/** Indices of fields after the program name. The name may contain any character and ends at the last parenthesis. */
const statFields = { state: 0, startTicks: 19 } as const

/** States of an ended process whose parent has not read its exit status. */
const endedStates = ['Z', 'X']

/** Identity of the running process with this number, or undefined if no such process runs. */
export function identityOf(pid: number): string | undefined {
  if (!isNumberTaken(pid)) return undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (endedStates.includes(fields[statFields.state] as string)) return undefined
    return [pid, bootOf(), fields[statFields.startTicks]].join(separator)
  } catch {
    // The system is not Linux, or hides the processes of other users.
    return String(pid)
  }
}

/** Number of the process in an identity; NaN if the text is no identity. */
export const pidOf = (identity: string): number => Number.parseInt(identity, 10)

/** Whether an identity contains the start time, so that it differs from that of a later process with the same number. */
export const isExact = (identity: string): boolean => identity.includes(separator)

/** Whether the process of an identity still runs. Without the start time, any process with this number counts. */
export function isRunning(identity: string): boolean {
  const current = identityOf(pidOf(identity))
  if (current === undefined) return false
  return !isExact(identity) || !isExact(current) || identity === current
}

/** Whether a process of any user has this number. */
function isNumberTaken(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The library that locks files. It is missing on systems without a binary, such as Linux with musl. */
export interface FileLocks {
  /** Locks bytes of an open file for this process; false if they are locked through another opening of the file. */
  tryLock(file: number, offset: number, length: number): boolean
  /** Waits until bytes are locked: `shared` with other openings of the file, or for this opening alone. */
  waitForLockSync(file: number, offset: number, length: number, options: { readonly shared: boolean }): void
  unlock(file: number, offset: number, length: number): void
}

/** Offset of the locked byte. It is after the contents, because locked bytes cannot be read on Windows. */
const lockedByte = 2 ** 20

/** Error codes of systems and file systems without locks. */
const unsupported = ['ENOLCK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL']

/** Lock of a file. One process at a time owns the resource that the file stands for. */
export interface Lock {
  /**
   * Makes this process the owner. If the system has no locks for the file, throws an Error that names the present owner. In that
   * case only one process at a time may call this for the same file.
   */
  claim(): void
  /** Ends the ownership, so that another process can claim the file. */
  release(): void
}

/**
 * Locks the file at `path`, which contains the identity of its owner. Throws an Error that names the owner if the file is locked,
 * by a process in any container or by this process itself. The system ends the lock with its process.
 */
export function openLock(
  path: string,
  locks: Pick<FileLocks, 'tryLock'> | undefined = loadFileLocks(),
): Lock {
  for (;;) {
    const file = openSync(path, 'a+', 0o600)
    try {
      const isLocked = tryLock(file, locks)
      if (isLocked === false) throw new Error(reasonOf(readFileSync(file, 'utf8'), path))
      // The previous owner may have removed the file after it was opened here.
      if (isSame(file, path)) return createLock(file, path, isLocked !== undefined)
    } catch (error) {
      closeSync(file)
      throw error
    }
    closeSync(file)
  }
}

function loadFileLocks(): FileLocks | undefined {
  try {
    return createRequire(import.meta.url)('fs-native-extensions') as FileLocks
  } catch {
    return undefined
  }
}

/** Whether the file could be locked; undefined if the system has no locks. */
function tryLock(file: number, locks: Pick<FileLocks, 'tryLock'> | undefined): boolean | undefined {
  try {
    return locks?.tryLock(file, lockedByte, 1)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EACCES') return false
    if (unsupported.includes(code)) return undefined
    throw error
  }
}

function createLock(file: number, path: string, isLocked: boolean): Lock {
  let isOwner = false
  return {
    claim() {
      const owner = readFileSync(file, 'utf8')
      if (!isLocked && isRunning(owner)) throw new Error(reasonOf(owner, path))
      ftruncateSync(file)
      writeSync(file, identityOf(process.pid) ?? String(process.pid))
      isOwner = true
    },
    release() {
      if (isOwner && isSame(file, path)) unlinkSync(path)
      closeSync(file)
    },
  }
}

/** Whether an open file is the file that is at `path` now. */
const isSame = (file: number, path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(file).ino

function reasonOf(owner: string, path: string): string {
  const number = pidOf(owner)
  // The owner may have locked the file a moment ago and not written its identity yet.
  if (Number.isNaN(number)) return 'it is in use by another Candela service'
  const place = isRunning(owner) ? '' : ' of another container'
  const reason = `it is in use by the Candela service with process id ${number}${place}`
  return isExact(owner) ? reason : `${reason} (if that is another program, remove "${path}")`
}

/** Offset of the locked byte of a database. It is after the end of the largest database. */
export const databaseByte = 2 ** 40

/**
 * Lock of a database file. Processes share it while they write, and a process has it alone while it opens or closes the database.
 * Without locks of the system, they do not wait for each other.
 */
export class DatabaseLock {
  /** Locks of this thread by path. The databases of a path share one. */
  static readonly #open = new Map<string, DatabaseLock>()
  readonly #file: number
  #locks = loadFileLocks()
  #users = 0
  #writes = 0

  private constructor(
    private readonly path: string,
    isReader: boolean,
  ) {
    try {
      this.#file = openSync(path, isReader ? 'r+' : 'a+', 0o600)
    } catch (error) {
      if (!isReader || (error as NodeJS.ErrnoException).code !== 'EROFS') throw error
      // Nobody writes to a read-only file system, such as that of a backup.
      this.#file = openSync(path, 'r')
      this.#locks = undefined
    }
  }

  /** The lock of a file, which is created unless `isReader`. Each user must close the lock. */
  static of(path: string, isReader: boolean): DatabaseLock {
    const lock = DatabaseLock.#open.get(path) ?? new DatabaseLock(path, isReader)
    lock.#users++
    DatabaseLock.#open.set(path, lock)
    return lock
  }

  close(): void {
    if (--this.#users > 0) return
    DatabaseLock.#open.delete(this.path)
    closeSync(this.#file)
  }

  /**
   * Opens or closes the database by `work` while no other process writes, opens or closes it. Does not wait if this thread is
   * writing, because the process then has the database open before and after.
   */
  alone<Result>(work: () => Result): Result {
    if (this.#writes > 0) return work()
    this.#wait(false)
    try {
      return work()
    } finally {
      this.#locks?.unlock(this.#file, databaseByte, 1)
    }
  }

  /** Begins a write. Waits while another process opens or closes the database. `endWrite` must follow. */
  beginWrite(): void {
    if (this.#writes === 0) this.#wait(true)
    this.#writes++
  }

  endWrite(): void {
    this.#writes--
    if (this.#writes === 0) this.#locks?.unlock(this.#file, databaseByte, 1)
  }

  #wait(shared: boolean): void {
    try {
      this.#locks?.waitForLockSync(this.#file, databaseByte, 1, { shared })
    } catch (error) {
      if (!unsupported.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      this.#locks = undefined
    }
  }
}

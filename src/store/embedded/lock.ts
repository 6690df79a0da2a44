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

// A process number is given to another process some time after its own has ended. So a process is identified by its
// number and, where the system shows it (Linux), by when it was started: `<number>-<boot>-<ticks since the boot>`.
// Elsewhere the number alone has to do.

const separator = '-'

/** Identifies the boot of this machine in eight characters. */
const bootOf = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)

/** Places of fields after the name of the program, which may contain anything but ends with the last parenthesis. */
const statFields = { state: 0, startTicks: 19 } as const

/** States of a process that has ended, and whose parent has not read how it ended. */
const endedStates = ['Z', 'X']

/** The identity of a running process, or undefined where there is none with this number. */
export function identityOf(pid: number): string | undefined {
  if (!isNumberTaken(pid)) return undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (endedStates.includes(fields[statFields.state] as string)) return undefined
    return [pid, bootOf(), fields[statFields.startTicks]].join(separator)
  } catch {
    // Another system than Linux, or one that hides the processes of other users.
    return String(pid)
  }
}

/** The number of the process that an identity was made for; NaN where it is no identity. */
export const pidOf = (identity: string): number => Number.parseInt(identity, 10)

/** Whether an identity is different from that of a later process with the same number. */
export const isExact = (identity: string): boolean => identity.includes(separator)

/** Whether the process of an identity still runs. Without the time of its start, any process of its number counts. */
export function isRunning(identity: string): boolean {
  const current = identityOf(pidOf(identity))
  if (current === undefined) return false
  return !isExact(identity) || !isExact(current) || identity === current
}

/** Whether there is a process with this number, of this user or of another one. */
function isNumberTaken(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The library that locks files. It is missing where it has no program for the system, such as Linux with musl. */
export interface FileLocks {
  /** Locks bytes of an open file for this process; false where another opening of the file has them locked. */
  tryLock(file: number, offset: number, length: number): boolean
}

/** The byte of the file that is locked. It is behind the contents, because locked bytes cannot be read on Windows. */
const lockedByte = 2 ** 20

/** Answers of systems and of file systems without locks. */
const unsupported = ['ENOLCK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL']

/** The lock of a file, by which one process at a time owns what the file stands for. */
export interface Lock {
  /**
   * Makes this process the owner. Throws an Error that names the owner while there is one, where the system has no locks
   * for the file. Only one process at a time may call this for the same file then.
   */
  claim(): void
  /** Lets the next process own it. */
  release(): void
}

/**
 * Locks the file at `path`, which says who has it. Throws an Error that names the owner while another process has it
 * locked, in whatever container that runs, or this process itself. The system ends the lock with its process.
 */
export function openLock(path: string, locks = loadFileLocks()): Lock {
  for (;;) {
    const file = openSync(path, 'a+', 0o600)
    try {
      const isLocked = tryLock(file, locks)
      if (isLocked === false) throw new Error(reasonOf(readFileSync(file, 'utf8'), path))
      // The owner before may have removed the file after it was opened here.
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

/** Whether the file could be locked; undefined where the system cannot say. */
function tryLock(file: number, locks: FileLocks | undefined): boolean | undefined {
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

/** Whether an open file is the one that is at `path` now. */
const isSame = (file: number, path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(file).ino

function reasonOf(owner: string, path: string): string {
  const number = pidOf(owner)
  // It may have locked the file a moment ago.
  if (Number.isNaN(number)) return 'it is in use by another Candela service'
  const place = isRunning(owner) ? '' : ' of another container'
  const reason = `it is in use by the Candela service with process id ${number}${place}`
  return isExact(owner) ? reason : `${reason} (if that is another program, remove "${path}")`
}

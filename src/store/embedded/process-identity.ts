import { readFileSync } from 'node:fs'

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

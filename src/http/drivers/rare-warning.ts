import type { Log } from '../../runtime/log.js'

/** Time window for the limit of lines per subject, in milliseconds. Clients can cause log lines as often as they like. */
const gapMs = 60_000

/** Log lines of one subject since the start of its time window. */
interface Lines {
  since: number
  logged: number
  /** Number of omitted lines. */
  unlogged: number
}

/** Logs events that may happen very often: for each subject once a minute, or `most` times a minute. */
export class RareWarning {
  readonly #log: Log
  readonly #clock: () => number
  readonly #most: number
  readonly #subjects = new Map<string, Lines>()

  /** `clock` is a monotonic clock in milliseconds. */
  constructor(log: Log, clock: () => number = () => performance.now(), most = 1) {
    this.#log = log
    this.#clock = clock
    this.#most = most
  }

  /**
   * Logs a line, or counts it as omitted. The line reports the number of omitted ones. `subject` must have few values,
   * such as exchanges.
   */
  warn(context: object, message: string, subject = ''): void {
    const now = this.#clock()
    const lines = this.#subjects.get(subject) ?? { since: now, logged: 0, unlogged: 0 }
    this.#subjects.set(subject, lines)
    if (now - lines.since >= gapMs) {
      lines.since = now
      lines.logged = 0
    }
    if (lines.logged >= this.#most) {
      lines.unlogged++
      return
    }
    const { unlogged } = lines
    lines.logged++
    lines.unlogged = 0
    this.#log.warn(unlogged === 0 ? context : { ...context, unlogged }, message)
  }
}

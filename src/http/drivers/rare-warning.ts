import type { Log } from '../../runtime/log.js'

/** In how long a time so many lines are logged at most, in milliseconds: clients can bring them about as often as they like. */
const gapMs = 60_000

/** The lines of one subject since a time. */
interface Lines {
  since: number
  logged: number
  /** Those that were left out. */
  unlogged: number
}

/** Logs what may happen very often: of each subject once a minute, or as often as `most` says. */
export class RareWarning {
  readonly #log: Log
  readonly #clock: () => number
  readonly #most: number
  readonly #subjects = new Map<string, Lines>()

  /** `clock` are milliseconds that never go back. */
  constructor(log: Log, clock: () => number = () => performance.now(), most = 1) {
    this.#log = log
    this.#clock = clock
    this.#most = most
  }

  /** Of `subject` there are few values, such as exchanges. A line says how many were left out before it. */
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

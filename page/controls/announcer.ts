import { h } from './dom.js'

/** Minimum pause between two announcements, because a screen reader must not read every trade. */
const pauseMs = 10_000

/** Announces the newest value to screen readers, at most every ten seconds, and never while the tab is hidden. */
export class Announcer {
  readonly element = h('p', { class: 'visually-hidden', attributes: { 'aria-live': 'polite', role: 'log' } })
  #lastAt = Number.NEGATIVE_INFINITY
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Announces a value. `text` is called only when an announcement is due. */
  value(text: () => string): void {
    const now = this.#now()
    if (now - this.#lastAt < pauseMs) return
    this.#lastAt = now
    this.element.textContent = text()
  }
}

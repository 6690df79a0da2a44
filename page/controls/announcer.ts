import { h } from './dom.js'

/** A screen reader does not read every trade. */
const pauseMs = 10_000

/** Says the newest value to screen readers, at most every ten seconds, and nothing while the tab is hidden. */
export class Announcer {
  readonly element = h('p', { class: 'visually-hidden', attributes: { 'aria-live': 'polite', role: 'log' } })
  #lastAt = Number.NEGATIVE_INFINITY
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** `text` is called only when it is time to speak. */
  value(text: () => string): void {
    const now = this.#now()
    if (now - this.#lastAt < pauseMs) return
    this.#lastAt = now
    this.element.textContent = text()
  }
}

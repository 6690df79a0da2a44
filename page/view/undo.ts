/** As many acts can be taken back. */
const most = 50

/** What can be taken back, the newest act first. */
export class Undo {
  readonly #acts: (() => void)[] = []

  /** Remembers how the newest act is taken back. The result takes back this one, whatever has been done since. */
  push(act: () => void): () => void {
    this.#acts.push(act)
    if (this.#acts.length > most) this.#acts.shift()
    return () => {
      const at = this.#acts.indexOf(act)
      if (at < 0) return
      this.#acts.splice(at, 1)
      act()
    }
  }

  undo(): void {
    this.#acts.pop()?.()
  }
}

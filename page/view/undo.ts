/** Maximum undo depth. */
const most = 50

/** Acts that can be undone, newest first. */
export class Undo {
  readonly #acts: (() => void)[] = []

  /** Remembers how to undo the newest act. The result undoes this act, whatever has been done since. */
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

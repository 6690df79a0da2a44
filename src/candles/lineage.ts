/** What is made of a series of candles, and grows with it. */
export interface Derived {
  readonly byteLength: number
}

/** How many of them stay in memory though nothing uses them. */
const maxRecent = 4

/** What all columns have in common that one series has had, one after another. */
export class Lineage {
  /** What its columns belong to, which stays in memory as long as they do. */
  owner: Derived | undefined
  /** By name. */
  #known: Map<string, WeakRef<Derived>> | undefined
  /** Those that were used last, the last one first. */
  #recent: readonly Derived[] = []

  /** Bytes of memory that is kept for what may be used again. */
  get byteLength(): number {
    return this.#recent.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** What was made of the series by that name, as long as something uses it or it was used lately. */
  find(name: string): Derived | undefined {
    return this.#known?.get(name)?.deref()
  }

  /** Keeps what was made of the series in the place of another one of that name, which was `old`. */
  keep(name: string, derived: Derived, old?: Derived): void {
    this.#known ??= new Map()
    for (const [other, ref] of this.#known) if (!ref.deref()) this.#known.delete(other)
    this.#known.set(name, new WeakRef(derived))
    this.#recent = this.#recent.filter(each => each !== old)
    this.use(derived)
  }

  /** Notes that it was used. */
  use(derived: Derived): void {
    if (this.#recent[0] === derived) return
    const others = this.#recent.filter(each => each !== derived)
    this.#recent = [derived, ...others].slice(0, maxRecent)
  }
}

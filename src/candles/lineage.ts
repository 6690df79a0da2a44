/** Data derived from a series of candles, which grow with the series. */
export interface Derived {
  readonly byteLength: number
}

/** Maximum number of unused derived data kept in memory. */
const maxRecent = 4

/** Data shared by all successive columns of one series. */
export class Lineage {
  /** Owner of the columns. It stays in memory as long as the columns. */
  owner: Derived | undefined
  /** Derived data by name. */
  #known: Map<string, WeakRef<Derived>> | undefined
  /** Recently used derived data, most recent first. */
  #recent: readonly Derived[] = []

  /** Bytes of the recently used derived data. */
  get byteLength(): number {
    return this.#recent.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** Derived data with a name. Found as long as something uses them or they were used recently. */
  find(name: string): Derived | undefined {
    return this.#known?.get(name)?.deref()
  }

  /** Keeps derived data under a name, instead of `old`. */
  keep(name: string, derived: Derived, old?: Derived): void {
    this.#known ??= new Map()
    for (const [other, ref] of this.#known) if (!ref.deref()) this.#known.delete(other)
    this.#known.set(name, new WeakRef(derived))
    this.#recent = this.#recent.filter(each => each !== old)
    this.use(derived)
  }

  /** Marks derived data as used. */
  use(derived: Derived): void {
    if (this.#recent[0] === derived) return
    const others = this.#recent.filter(each => each !== derived)
    this.#recent = [derived, ...others].slice(0, maxRecent)
  }
}

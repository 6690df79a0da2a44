/** Counts by name. A name with the count 0 needs no memory. */
export class Counts {
  readonly #counts = new Map<string, number>()
  /** Sum of all counts. */
  total = 0

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  change(name: string, by: number): void {
    const count = this.of(name) + by
    this.total += by
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
  }
}

const none: ReadonlySet<never> = new Set()

/** Members in groups by name, each group in insertion order. An empty group is removed. */
export class Groups<Member> {
  readonly #groups = new Map<string, Set<Member>>()

  get size(): number {
    return this.#groups.size
  }

  add(name: string, member: Member): void {
    const group = this.#groups.get(name)
    if (group) group.add(member)
    else this.#groups.set(name, new Set([member]))
  }

  delete(name: string, member: Member): void {
    const group = this.#groups.get(name)
    if (group?.delete(member) && group.size === 0) this.#groups.delete(name)
  }

  /** The members of a group, possibly none. */
  of(name: string): ReadonlySet<Member> {
    return this.#groups.get(name) ?? none
  }

  /** The groups, including those added during the iteration. */
  entries(): IterableIterator<[name: string, members: ReadonlySet<Member>]> {
    return this.#groups.entries()
  }
}

const none: ReadonlySet<never> = new Set()

/** Members in groups by name, each group in insertion order. An empty group is removed. */
export class Groups<Member> {
  readonly #groups = new Map<string, Set<Member>>()

  /** Number of groups with members. */
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

const none: ReadonlySet<never> = new Set()

/** Members in groups by name, each group in the order in which they were added. A group that is empty is forgotten. */
export class Groups<Member> {
  readonly #groups = new Map<string, Set<Member>>()

  /** How many groups have members. */
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

  /** The members of a group, which may be none. */
  of(name: string): ReadonlySet<Member> {
    return this.#groups.get(name) ?? none
  }

  /** The groups, those too that are added meanwhile. */
  entries(): IterableIterator<[name: string, members: ReadonlySet<Member>]> {
    return this.#groups.entries()
  }
}

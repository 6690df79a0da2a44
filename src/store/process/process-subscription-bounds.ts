import { createHash } from 'node:crypto'
import type { Account } from '../../contract/account.js'
import { rateWindowMs } from '../../contract/limits.js'
import type { SubscriptionBounds, SubscriptionLimit } from '../../contract/storage/stores.js'
import type { CounterTable, NumberChanges } from './counter-table.js'

/** Which of the processes of a machine this is, from 0 on, and how many there are. */
export interface ProcessNumber {
  readonly number: number
  readonly count: number
}

const heldPrefix = (process: number) => `held/${process}/`
const heldBy = (numbers: NumberChanges, process: number, { id }: Account) =>
  numbers.get(heldPrefix(process) + id)?.[0] ?? 0
/** A topic may be longer than a key. */
const topicKey = (account: string, topic: string) =>
  `topic/${account}/${createHash('sha256').update(topic).digest('base64url')}`

/**
 * The subscriptions at all processes of one machine. What a process held that has ended no longer counts once another one
 * has its number.
 */
export class ProcessSubscriptionBounds implements SubscriptionBounds {
  readonly #numbers: CounterTable
  readonly #clock: () => number
  readonly #process: ProcessNumber

  /** `clock` counts milliseconds from a time that is the same one in all processes, and never goes back. */
  constructor(numbers: CounterTable, clock: () => number, process: ProcessNumber) {
    this.#numbers = numbers
    this.#clock = clock
    this.#process = process
    const prefix = heldPrefix(process.number)
    const keys = numbers.keys(prefix).filter(key => key.startsWith(prefix))
    numbers.transaction(({ remove }) => {
      for (const key of keys) remove(key)
    })
  }

  reserve(account: Account, topic: string): SubscriptionLimit {
    return this.#numbers.transaction(numbers => {
      let held = 0
      for (let process = 0; process < this.#process.count; process++)
        held += heldBy(numbers, process, account)
      if (held >= account.subscriptions) return 'plan'
      const seconds = this.#addTopic(numbers, account, topic)
      if (seconds !== undefined) return { seconds }
      this.#add(numbers, account, 1)
      return undefined
    })
  }

  release(account: Account): void {
    this.#numbers.transaction(numbers => this.#add(numbers, account, -1))
  }

  #add(numbers: NumberChanges, account: Account, change: number): void {
    const { number } = this.#process
    const key = heldPrefix(number) + account.id
    const held = heldBy(numbers, number, account) + change
    if (held > 0) numbers.set(key, held)
    else numbers.remove(key)
  }

  /** Counts a topic in the window of the account; the seconds until the window ends where it is one too many. */
  #addTopic(numbers: NumberChanges, { id, subscriptions }: Account, topic: string): number | undefined {
    const now = this.#clock()
    const windowKey = `topics/${id}`
    const [known = 0, end = 0] = numbers.get(windowKey) ?? []
    const isOpen = end > now
    const [count, ends] = isOpen ? [known, end] : [0, now + rateWindowMs]
    const key = topicKey(id, topic)
    if (isOpen && numbers.get(key)?.[0] === ends) return undefined
    if (count >= subscriptions) return Math.ceil((ends - now) / 1000)
    numbers.set(key, ends)
    numbers.set(windowKey, count + 1, ends)
    return undefined
  }
}

import { z } from 'zod'
import { backoffMs } from '../exchanges/backoff.js'
import { pause } from '../live/pause.js'
import type { StoredDelivery } from '../store/alerts.js'
import { type Alert, wholeIdOf } from './alert.js'

const content = z.object({
  /** The id of the stored alert: that at one market. */
  alert: z.string(),
  /** The same for each attempt, and for each time that the same candle fires the same alert. */
  id: z.string(),
  /** Unix seconds. */
  created: z.number(),
  body: z.string(),
})

/** A message about an alert that fired, with what its delivery needs. */
export type DeliveryContent = z.output<typeof content>

export interface Delivery extends DeliveryContent {
  readonly stored: StoredDelivery
}

export const writeDelivery = (fields: DeliveryContent): string => JSON.stringify(fields)

/** Throws where the text cannot be understood. */
export const readDelivery = (stored: StoredDelivery): Delivery => ({
  stored,
  ...content.parse(JSON.parse(stored.text)),
})

/** A dead letter: what could not be delivered, and why. */
export const writeDeadLetter = (
  { alert, id, created, body }: DeliveryContent,
  reason: string,
  attempts: number,
  now: number,
): string =>
  JSON.stringify({
    id,
    alert: wholeIdOf(alert),
    created,
    failed: Math.floor(now),
    attempts,
    reason,
    message: JSON.parse(body),
  })

const deadLetter = z.object({ id: z.string() })

/** The id of the stored alert of a dead letter. Throws where the text cannot be understood. */
export function readDeadLetter(text: string): string {
  const { id } = deadLetter.parse(JSON.parse(text))
  return id.slice(0, id.lastIndexOf(':'))
}

export interface DeliveryHost {
  /** The alert of a delivery; undefined where it was deleted, and nobody waits for what it has fired. */
  alert(id: string): Alert | undefined
  /** Makes one attempt. Rejects with an Error that says in words why it has failed. */
  attempt(delivery: Delivery, alert: Alert, signal: AbortSignal): Promise<void>
  /** Stores that a delivery is done, or with a text that it is a dead letter. */
  settle(delivery: Delivery, deadText?: string): Promise<void>
  /** Unix seconds. */
  readonly clock: () => number
  /** Milliseconds before the second attempt; they double with every failure, up to a minute. */
  readonly backoffMs: number
  /** Seconds after which a delivery is given up. */
  readonly giveUpSeconds: number
  /** Webhooks that are called at the same time. */
  readonly concurrency: number
  readonly onOutcome: (outcome: 'delivered' | 'failed' | 'dead') => void
  readonly onFault: (error: unknown) => void
}

const maxBackoffMs = 60_000
/** How long attempts that have begun may go on when the service is stopped, in milliseconds. */
const closeMs = 1000

interface Queue {
  /** In the order of their numbers. */
  readonly waiting: Delivery[]
  /** Resolves when nothing waits any more; undefined where nothing waits. */
  running: Promise<void> | undefined
  /** Ends the pause before the next attempt. */
  waking: AbortController
}

/** Where a delivery goes: one after the other to each place, all of an account's to one URL among them. */
const placeOf = (alert: Alert) => `${alert.account} ${alert.webhook?.url ?? 'streaming'}`

/** Delivers what alerts have fired, to each place in order, until it arrives or is given up. */
export class Deliveries {
  readonly #host: DeliveryHost
  readonly #queues = new Map<string, Queue>()
  readonly #byAccount = new Map<string, number>()
  readonly #ending = new AbortController()
  readonly #waitingForTurn: (() => void)[] = []
  #active = 0
  #isClosed = false
  #size = 0

  constructor(host: DeliveryHost) {
    this.#host = host
  }

  /** What was not delivered yet. */
  get size(): number {
    return this.#size
  }

  sizeOf(account: string): number {
    return this.#byAccount.get(account) ?? 0
  }

  /** Whether something of an alert waits. */
  has(alert: string): boolean {
    return [...this.#queues.values()].some(({ waiting }) => waiting.some(each => each.alert === alert))
  }

  /** Delivers something after all that was added before for the same place. */
  add(delivery: Delivery): void {
    this.#count(delivery, 1)
    const alert = this.#host.alert(delivery.alert)
    // One without an alert is settled at once, in a queue of its own.
    const place = alert ? placeOf(alert) : ''
    const queue = this.#queues.get(place) ?? {
      waiting: [],
      running: undefined,
      waking: new AbortController(),
    }
    this.#queues.set(place, queue)
    queue.waiting.push(delivery)
    queue.running ??= this.#run(place, queue)
  }

  /** Makes the next attempt of a place now, such as when a client has come. */
  wake(account: string): void {
    this.#queues.get(`${account} streaming`)?.waking.abort()
  }

  /** Begins no further attempt, and waits a little for those that have begun: what arrived is stored as delivered. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { waking } of this.#queues.values()) waking.abort()
    const running = [...this.#queues.values()].map(({ running }) => running)
    const cut = setTimeout(() => this.#ending.abort(), closeMs)
    for (const begin of this.#waitingForTurn.splice(0)) begin()
    await Promise.all(running)
    clearTimeout(cut)
  }

  async #run(place: string, queue: Queue): Promise<void> {
    for (let attempts = 0; !this.#isClosed; ) {
      const [delivery] = queue.waiting
      if (!delivery) break
      attempts++
      // Whoever comes during an attempt, which may not reach them, waits for no pause after it.
      queue.waking = new AbortController()
      if (await this.#isDone(delivery, attempts)) {
        attempts = 0
        queue.waiting.shift()
        this.#count(delivery, -1)
      } else await pause(backoffMs(attempts - 1, this.#host.backoffMs, maxBackoffMs), queue.waking.signal)
    }
    queue.running = undefined
    if (queue.waiting.length === 0) this.#queues.delete(place)
  }

  /** Makes an attempt. Whether no further one is to be made. */
  async #isDone(delivery: Delivery, attempts: number): Promise<boolean> {
    const { alert: find, attempt, clock, giveUpSeconds, onOutcome } = this.#host
    const alert = find(delivery.alert)
    if (!alert) return this.#settle(delivery)
    const { signal } = this.#ending
    try {
      await this.#inTurn(alert, () => attempt(delivery, alert, signal))
      onOutcome('delivered')
      return await this.#settle(delivery)
    } catch (error) {
      if (this.#isClosed) return false
      onOutcome('failed')
      if (clock() - delivery.created < giveUpSeconds) return false
      onOutcome('dead')
      return this.#settle(delivery, writeDeadLetter(delivery, (error as Error).message, attempts, clock()))
    }
  }

  /** What cannot be stored as settled is delivered again by the next process, under the same id. */
  async #settle(delivery: Delivery, deadText?: string): Promise<boolean> {
    await this.#host.settle(delivery, deadText).catch(this.#host.onFault)
    return true
  }

  /** Runs an attempt while fewer than the most webhooks are being called. Streaming connections are not waited for. */
  async #inTurn({ webhook }: Alert, work: () => Promise<void>): Promise<void> {
    if (!webhook) return work()
    if (this.#active >= this.#host.concurrency)
      await new Promise<void>(begin => this.#waitingForTurn.push(begin))
    else this.#active++
    try {
      if (this.#isClosed) throw new Error('the service is stopping')
      await work()
    } finally {
      const next = this.#waitingForTurn.shift()
      if (next) next()
      else this.#active--
    }
  }

  #count({ stored: { account } }: Delivery, change: 1 | -1): void {
    this.#size += change
    const left = this.sizeOf(account) + change
    if (left === 0) this.#byAccount.delete(account)
    else this.#byAccount.set(account, left)
  }
}

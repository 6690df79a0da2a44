import { setMaxListeners } from 'node:events'
import { z } from 'zod'
import type { StoredDelivery } from '../contract/storage/alerts.js'
import { backoffMs } from '../runtime/backoff.js'
import { Counts } from '../runtime/groups.js'
import { pause } from '../runtime/pause.js'
import { type Alert, fromAscii, wholeIdOf } from './alert.js'
import { maxBackoffMs, type RunnerOptions } from './runner-options.js'
import { SilentReceiver, UnsendableMessage } from './webhook.js'
import { type AttemptEnd, type Destination, WebhookTurns } from './webhook-turns.js'

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

/** A delivery with the time from which its age counts: a time of the future was shown by a clock that was ahead. */
interface Waiting extends Delivery {
  readonly since: number
}

export const writeDelivery = (fields: DeliveryContent): string => JSON.stringify(fields)

/** Throws where the text cannot be understood. */
export function readDelivery(stored: StoredDelivery): Delivery {
  return { stored, ...content.parse(JSON.parse(stored.text)) }
}

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
  return fromAscii(id.slice(0, id.lastIndexOf(':')))
}

export interface DeliveryHost
  extends Pick<
    RunnerOptions,
    'clock' | 'ages' | 'backoffMs' | 'giveUpSeconds' | 'concurrency' | 'onOutcome' | 'onWebhook'
  > {
  /** The alert of a delivery; undefined where what it has fired is not to be sent to anyone. */
  alert(id: string): Alert | undefined
  /** Whether somebody is still to be sent what an alert has fired. Asked before each attempt. */
  isWanted(alert: Alert): Promise<boolean>
  /** Makes one attempt. Rejects with an Error that says in words why it has failed. */
  attempt(delivery: Delivery, alert: Alert, signal: AbortSignal): Promise<void>
  /** Stores that deliveries are done. */
  acknowledge(deliveries: readonly Delivery[]): Promise<void>
  /** Stores that a delivery was given up. */
  deadLetter(delivery: Delivery, deadText: string): Promise<void>
  readonly onFault: (error: unknown) => void
}

/** How long attempts that have begun may go on when the service is stopped, in milliseconds. */
const closeMs = 1000
/** Deliveries that are settled in one transaction at most. */
const maxAcknowledged = 1000

interface Queue {
  readonly account: string
  /** Where its webhook is, or the server of its e-mail; undefined where it is for streaming connections. */
  readonly destination: Destination | undefined
  /** In the order of their numbers. */
  waiting: Waiting[]
  /** Attempts to deliver the first of them. */
  attempts: number
  /** Whether one goes on. */
  isAttempting: boolean
  /** Resolves when nothing waits any more; undefined where nothing waits. */
  running: Promise<void> | undefined
  /** Ends what the next attempt waits for. */
  waking: AbortController
}

/** The name of the server of the settings among the hosts that are called. */
const mailServer = 'smtp'

/** Where a delivery goes: one after the other to each place, all of an account's to one URL or one e-mail address among them. */
const placeOf = ({ account, webhook, email }: Alert) =>
  `${account} ${webhook?.url ?? (email ? `mailto:${email.to}` : 'streaming')}`

const destinationOf = ({ account, webhook, email }: Alert): Destination | undefined => {
  if (email) return { account, host: mailServer }
  return webhook && { account, host: URL.canParse(webhook.url) ? new URL(webhook.url).host : '' }
}

/** Delivers what alerts have fired, to each place in order, until it arrives or is given up. */
export class Deliveries {
  readonly #host: DeliveryHost
  readonly #queues = new Map<string, Queue>()
  readonly #byAccount = new Counts()
  readonly #ending = new AbortController()
  readonly #turns: WebhookTurns
  #isClosed = false
  #size = 0

  constructor(host: DeliveryHost) {
    this.#host = host
    this.#turns = new WebhookTurns(host)
    // Each attempt listens.
    setMaxListeners(0, this.#ending.signal)
  }

  /** What was not delivered yet. */
  get size(): number {
    return this.#size
  }

  sizeOf(account: string): number {
    return this.#byAccount.of(account)
  }

  /** Whether something of an alert waits. */
  has(alert: string): boolean {
    return [...this.#queues.values()].some(({ waiting }) => waiting.some(each => each.alert === alert))
  }

  /** Delivers something after all that was added before for the same place. */
  add(delivery: Delivery): void {
    const { account } = delivery.stored
    this.#count(account, 1)
    const alert = this.#host.alert(delivery.alert)
    // What is not to be sent is settled at once, in a queue of its own.
    const place = alert ? placeOf(alert) : account
    const queue = this.#queues.get(place) ?? {
      account,
      destination: alert && destinationOf(alert),
      waiting: [],
      attempts: 0,
      isAttempting: false,
      running: undefined,
      waking: new AbortController(),
    }
    this.#queues.set(place, queue)
    queue.waiting.push({ ...delivery, since: Math.min(delivery.created, this.#host.ages.now()) })
    queue.running ??= this.#run(place, queue)
  }

  /** Makes the next attempt of a place now, such as when a client has come. */
  wake(account: string): void {
    this.#queues.get(`${account} streaming`)?.waking.abort()
  }

  /** Settles the deliveries of some accounts that are not to be sent any more. Attempts that have begun go on. */
  async settleUnwanted(accounts: ReadonlySet<string>): Promise<void> {
    const unwanted: Delivery[] = []
    for (const queue of this.#queues.values())
      if (accounts.has(queue.account)) unwanted.push(...this.#takeUnwanted(queue))
    for (let from = 0; from < unwanted.length; from += maxAcknowledged)
      await this.#acknowledge(unwanted.slice(from, from + maxAcknowledged))
  }

  /** Begins no further attempt, and waits a little for those that have begun: what arrived is stored as delivered. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { waking } of this.#queues.values()) waking.abort()
    const running = [...this.#queues.values()].map(({ running }) => running)
    const cut = setTimeout(() => this.#ending.abort(), closeMs)
    await Promise.all(running)
    clearTimeout(cut)
  }

  #takeUnwanted(queue: Queue): readonly Delivery[] {
    const isUnwanted = ({ alert }: Delivery) => this.#host.alert(alert) === undefined
    const [first] = queue.waiting
    const isFirstUnwanted = first !== undefined && isUnwanted(first)
    const kept: Waiting[] = []
    const taken: Delivery[] = []
    for (const each of queue.waiting) {
      const stays = (queue.isAttempting && each === first) || !isUnwanted(each)
      if (stays) kept.push(each)
      else taken.push(each)
    }
    queue.waiting = kept
    if (kept[0] !== first) queue.attempts = 0
    // It waits for its next attempt, or will once it has failed.
    if (isFirstUnwanted) queue.waking.abort()
    this.#count(queue.account, -taken.length)
    return taken
  }

  async #run(place: string, queue: Queue): Promise<void> {
    while (!this.#isClosed && queue.waiting.length > 0) {
      // A client that connects during an attempt may have missed it: no pause follows then.
      queue.waking = new AbortController()
      const { signal } = queue.waking
      if (await this.#deliverFirst(queue, signal))
        await pause(backoffMs(queue.attempts - 1, this.#host.backoffMs, maxBackoffMs), signal)
    }
    queue.running = undefined
    if (queue.waiting.length === 0) this.#queues.delete(place)
  }

  /** Makes an attempt when there is a turn for it, unless the signal aborts before. Whether a pause is to follow. */
  async #deliverFirst(queue: Queue, signal: AbortSignal): Promise<boolean> {
    const { destination } = queue
    const end = destination ? await this.#turns.take(destination, signal) : () => {}
    const [delivery] = queue.waiting
    if (!end || !delivery || this.#isClosed) {
      end?.('not made')
      return false
    }
    queue.isAttempting = true
    const result = await this.#attempt(delivery, end)
    queue.attempts++
    const isOver = await this.#conclude(delivery, result, queue.attempts)
    queue.isAttempting = false
    // After a silence it is the turn that is waited for.
    if (!isOver) return !(result instanceof SilentReceiver)
    queue.attempts = 0
    queue.waiting.shift()
    this.#count(queue.account, -1)
    return false
  }

  async #attempt(delivery: Delivery, end: (end: AttemptEnd) => void) {
    let attemptEnd: AttemptEnd = 'not made'
    try {
      const alert = this.#host.alert(delivery.alert)
      if (!alert || !(await this.#host.isWanted(alert))) return 'unwanted'
      attemptEnd = 'answered'
      await this.#timed(alert, this.#host.attempt(delivery, alert, this.#ending.signal))
      return 'delivered'
    } catch (error) {
      if (error instanceof SilentReceiver) attemptEnd = 'silent'
      return error as Error
    } finally {
      end(attemptEnd)
    }
  }

  /** The same attempt, of which it is counted how long it takes where it calls a webhook. */
  async #timed({ webhook }: Alert, attempt: Promise<void>): Promise<void> {
    const startedAt = performance.now()
    let outcome: 'delivered' | 'failed' = 'failed'
    try {
      await attempt
      outcome = 'delivered'
    } finally {
      if (webhook) this.#host.onWebhook?.(outcome, (performance.now() - startedAt) / 1000)
    }
  }

  /** Stores what an attempt has come to. Whether no further one is to be made. */
  async #conclude(
    delivery: Waiting,
    result: 'delivered' | 'unwanted' | Error,
    attempts: number,
  ): Promise<boolean> {
    const { clock, ages, giveUpSeconds, onOutcome } = this.#host
    if (result === 'delivered') onOutcome('delivered')
    if (!(result instanceof Error)) return this.#acknowledge([delivery])
    if (this.#isClosed) return false
    onOutcome('failed')
    if (!(result instanceof UnsendableMessage) && ages.now() - delivery.since < giveUpSeconds) return false
    onOutcome('dead')
    const deadText = writeDeadLetter(delivery, result.message, attempts, clock())
    await this.#host.deadLetter(delivery, deadText).catch(this.#host.onFault)
    return true
  }

  /** What cannot be stored as settled is delivered again by the next process, under the same id. */
  async #acknowledge(deliveries: readonly Delivery[]): Promise<true> {
    await this.#host.acknowledge(deliveries).catch(this.#host.onFault)
    return true
  }

  #count(account: string, change: number): void {
    this.#size += change
    this.#byAccount.change(account, change)
  }
}

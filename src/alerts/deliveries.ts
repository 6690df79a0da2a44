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
  /** Id of the stored part: the alert at one market. */
  alert: z.string(),
  /** Equal for all attempts, and for repeated fires of one alert at one candle. */
  id: z.string(),
  /** Unix seconds. */
  created: z.number(),
  body: z.string(),
})

/** Message of a fired alert, with the data for its delivery. */
export type DeliveryContent = z.output<typeof content>

export interface Delivery extends DeliveryContent {
  readonly stored: StoredDelivery
}

/** A delivery with the start of its age. This is earlier than `created` if the clock was ahead then. */
interface Waiting extends Delivery {
  readonly since: number
}

export const writeDelivery = (fields: DeliveryContent): string => JSON.stringify(fields)

/** Parses a stored delivery. Throws if the text is invalid. */
export function readDelivery(stored: StoredDelivery): Delivery {
  return { stored, ...content.parse(JSON.parse(stored.text)) }
}

/** Text of a dead letter: an undeliverable message and the reason. */
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

/** Id of the stored part of a dead letter. Throws if the text is invalid. */
export function readDeadLetter(text: string): string {
  const { id } = deadLetter.parse(JSON.parse(text))
  return fromAscii(id.slice(0, id.lastIndexOf(':')))
}

export interface DeliveryHost
  extends Pick<
    RunnerOptions,
    'clock' | 'ages' | 'backoffMs' | 'giveUpSeconds' | 'concurrency' | 'onOutcome' | 'onWebhook'
  > {
  /** Alert of a delivery; undefined if its fires are not to be sent. */
  alert(id: string): Alert | undefined
  /** Whether fires of the alert are still to be sent. Called before each attempt. */
  isWanted(alert: Alert): Promise<boolean>
  /** Makes one attempt. Rejects with an Error whose message explains the failure. */
  attempt(delivery: Delivery, alert: Alert, signal: AbortSignal): Promise<void>
  /** Removes finished deliveries from the store. */
  acknowledge(deliveries: readonly Delivery[]): Promise<void>
  /** Replaces a delivery in the store with a dead letter. */
  deadLetter(delivery: Delivery, deadText: string): Promise<void>
  readonly onFault: (error: unknown) => void
}

/** Time for attempts in flight to finish when the service stops, in milliseconds. */
const closeMs = 1000
/** Maximum number of deliveries settled in one transaction. */
const maxAcknowledged = 1000

interface Queue {
  readonly account: string
  /** Host of the webhook or of the mail server; undefined for streaming connections. */
  readonly destination: Destination | undefined
  /** Deliveries, ordered by number. */
  waiting: Waiting[]
  /** Attempts made to deliver the first one. */
  attempts: number
  /** Whether an attempt is in flight. */
  isAttempting: boolean
  /** Resolves when the queue is empty; undefined while it is empty. */
  running: Promise<void> | undefined
  /** Ends the wait before the next attempt. */
  waking: AbortController
}

/** Host name that stands for the configured mail server. */
const mailServer = 'smtp'

/**
 * Key of the queue of an alert: its account with the webhook URL, the e-mail address, or streaming. Deliveries of one
 * queue are sent one at a time.
 */
const placeOf = ({ account, webhook, email }: Alert) =>
  `${account} ${webhook?.url ?? (email ? `mailto:${email.to}` : 'streaming')}`

const destinationOf = ({ account, webhook, email }: Alert): Destination | undefined => {
  if (email) return { account, host: mailServer }
  return webhook && { account, host: URL.canParse(webhook.url) ? new URL(webhook.url).host : '' }
}

/** Delivers fires of alerts in order per target, and retries each until it arrives or is given up. */
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
    // Each attempt adds a listener.
    setMaxListeners(0, this.#ending.signal)
  }

  /** Number of waiting deliveries. */
  get size(): number {
    return this.#size
  }

  sizeOf(account: string): number {
    return this.#byAccount.of(account)
  }

  /** Whether a delivery of an alert part is waiting. */
  has(alert: string): boolean {
    return [...this.#queues.values()].some(({ waiting }) => waiting.some(each => each.alert === alert))
  }

  /** Appends a delivery to the queue of its target. */
  add(delivery: Delivery): void {
    const { account } = delivery.stored
    this.#count(account, 1)
    const alert = this.#host.alert(delivery.alert)
    // Unwanted deliveries have a queue of their own, so they are settled immediately.
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

  /** Makes the next attempt on streaming connections now, because a client has connected. */
  wake(account: string): void {
    this.#queues.get(`${account} streaming`)?.waking.abort()
  }

  /** Settles unwanted deliveries of some accounts. Attempts in flight continue. */
  async settleUnwanted(accounts: ReadonlySet<string>): Promise<void> {
    const unwanted: Delivery[] = []
    for (const queue of this.#queues.values())
      if (accounts.has(queue.account)) unwanted.push(...this.#takeUnwanted(queue))
    for (let from = 0; from < unwanted.length; from += maxAcknowledged)
      await this.#acknowledge(unwanted.slice(from, from + maxAcknowledged))
  }

  /**
   * Starts no further attempts and waits shortly for attempts in flight. A message that arrives is stored as delivered.
   */
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
    // The queue waits before the next attempt of this delivery, or will once the attempt in flight has failed.
    if (isFirstUnwanted) queue.waking.abort()
    this.#count(queue.account, -taken.length)
    return taken
  }

  async #run(place: string, queue: Queue): Promise<void> {
    while (!this.#isClosed && queue.waiting.length > 0) {
      // A client that connects during an attempt may have missed the message, so no pause follows.
      queue.waking = new AbortController()
      const { signal } = queue.waking
      if (await this.#deliverFirst(queue, signal))
        await pause(backoffMs(queue.attempts - 1, this.#host.backoffMs, maxBackoffMs), signal)
    }
    queue.running = undefined
    if (queue.waiting.length === 0) this.#queues.delete(place)
  }

  /** Makes an attempt when its turn comes, unless the signal aborts first. Returns whether a pause must follow. */
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
    // After a silent receiver, `WebhookTurns` delays the next attempt.
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

  /** Awaits an attempt, and reports its duration if it calls a webhook. */
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

  /** Stores the result of an attempt. Returns whether the delivery is finished. */
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

  /** Acknowledges deliveries. If the store fails, the next process delivers them again with the same ids. */
  async #acknowledge(deliveries: readonly Delivery[]): Promise<true> {
    await this.#host.acknowledge(deliveries).catch(this.#host.onFault)
    return true
  }

  #count(account: string, change: number): void {
    this.#size += change
    this.#byAccount.change(account, change)
  }
}

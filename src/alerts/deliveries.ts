import { setMaxListeners } from 'node:events'
import { z } from 'zod'
import type { StoredDelivery } from '../contract/storage/alerts.js'
import { backoffMs } from '../runtime/backoff.js'
import { Counts } from '../runtime/groups.js'
import { FairQueue } from '../runtime/scheduler.js'
import { type Alert, fromAscii, wholeIdOf } from './alert.js'
import { maxBackoffMs, type RunnerOptions } from './runner-options.js'
import { SilentReceiver, UnsendableMessage } from './webhook.js'

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
  extends Pick<RunnerOptions, 'clock' | 'ages' | 'backoffMs' | 'giveUpSeconds' | 'onOutcome' | 'onWebhook'> {
  /** Alert of a delivery; undefined if its fires are not to be sent. */
  alert(id: string): Alert | undefined
  /** Whether fires of the alert are still to be sent. Called before each attempt. */
  isWanted(alert: Alert): Promise<boolean>
  /** Makes one attempt. Rejects with an Error whose message explains the failure. */
  attempt(delivery: Delivery, alert: Alert, signal: AbortSignal): Promise<void>
  acknowledge(deliveries: readonly Delivery[]): Promise<void>
  deadLetter(delivery: Delivery, deadText: string): Promise<void>
  readonly onFault: (error: unknown) => void
}

/** Time for attempts in flight to finish when the service stops, in milliseconds. */
const closeMs = 1000
/** Maximum number of deliveries settled in one transaction. */
const maxAcknowledged = 1000
/** Host name that stands for the configured mail server. */
const mailServer = 'smtp'

/** Webhooks of an account at one host, or its e-mail. */
export interface Destination {
  readonly account: string
  readonly host: string
}

/**
 * Deliveries of an account to one webhook URL, to one e-mail address, or to its streaming connections. They are sent one
 * at a time.
 */
interface Target {
  readonly key: string
  readonly account: string
  /** Undefined for streaming connections, which need no slot. */
  readonly destination: Destination | undefined
  /** Ordered by number. */
  waiting: Waiting[]
  /** Attempts made to deliver the first one. */
  attempts: number
  isAttempting: boolean
  /** Timer of the pause after a failure. */
  pause: NodeJS.Timeout | undefined
  /** Whether no pause follows the attempt in flight if it fails. */
  isHastened: boolean
}

export type Result = 'delivered' | 'unwanted' | Error

const targetKey = ({ account, webhook, email }: Alert) =>
  `${account} ${webhook?.url ?? (email ? `mailto:${email.to}` : 'streaming')}`

const destinationOf = ({ account, webhook, email }: Alert): Destination | undefined => {
  if (email) return { account, host: mailServer }
  return webhook && { account, host: URL.canParse(webhook.url) ? new URL(webhook.url).host : '' }
}

/** Delivers fires of alerts in order per target, and retries each until it arrives or is given up. */
export class Deliveries {
  readonly #targets = new Map<string, Target>()
  readonly #byAccount = new Counts()
  readonly #ending = new AbortController()
  readonly #slots: AttemptSlots
  readonly #attempts = new Set<Promise<void>>()
  #isClosed = false

  constructor(private readonly host: DeliveryHost) {
    this.#slots = new AttemptSlots(host.backoffMs)
    // Each attempt adds a listener.
    setMaxListeners(0, this.#ending.signal)
  }

  get size(): number {
    return this.#byAccount.total
  }

  sizeOf(account: string): number {
    return this.#byAccount.of(account)
  }

  /** Whether a delivery of an alert part is waiting. */
  has(alert: string): boolean {
    return [...this.#targets.values()].some(({ waiting }) => waiting.some(each => each.alert === alert))
  }

  /** Appends a delivery to those of its target. */
  add(delivery: Delivery): void {
    const { account } = delivery.stored
    this.#byAccount.change(account, 1)
    const alert = this.host.alert(delivery.alert)
    // Unwanted deliveries have a target of their own, so they are settled immediately.
    const key = alert ? targetKey(alert) : account
    const destination = alert && destinationOf(alert)
    const waiting = { ...delivery, since: Math.min(delivery.created, this.host.ages.now()) }
    const known = this.#targets.get(key)
    if (known) {
      known.waiting.push(waiting)
      return
    }
    const target = {
      ...{ key, account, destination, waiting: [waiting], attempts: 0 },
      ...{ isAttempting: false, pause: undefined, isHastened: false },
    }
    this.#targets.set(key, target)
    this.#continue(target)
  }

  /** Makes the next attempt on streaming connections now, because a client has connected. */
  wake(account: string): void {
    const target = this.#targets.get(`${account} streaming`)
    if (target) this.#hasten(target)
  }

  /** Settles unwanted deliveries of some accounts. Attempts in flight continue. */
  async settleUnwanted(accounts: ReadonlySet<string>): Promise<void> {
    const unwanted: Delivery[] = []
    for (const target of this.#targets.values())
      if (accounts.has(target.account)) unwanted.push(...this.#takeUnwanted(target))
    for (let from = 0; from < unwanted.length; from += maxAcknowledged)
      await this.#acknowledge(unwanted.slice(from, from + maxAcknowledged))
  }

  /**
   * Starts no further attempts and waits shortly for attempts in flight. A message that arrives is stored as delivered.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#slots.close()
    for (const { pause } of this.#targets.values()) clearTimeout(pause)
    const cut = setTimeout(() => this.#ending.abort(), closeMs)
    await Promise.all(this.#attempts)
    clearTimeout(cut)
  }

  #takeUnwanted(target: Target): readonly Delivery[] {
    const isUnwanted = ({ alert }: Delivery) => this.host.alert(alert) === undefined
    const [first] = target.waiting
    const isFirstUnwanted = first !== undefined && isUnwanted(first)
    const kept: Waiting[] = []
    const taken: Delivery[] = []
    for (const each of target.waiting) {
      const stays = (target.isAttempting && each === first) || !isUnwanted(each)
      if (stays) kept.push(each)
      else taken.push(each)
    }
    target.waiting = kept
    if (kept[0] !== first) target.attempts = 0
    if (isFirstUnwanted) this.#hasten(target)
    this.#byAccount.change(target.account, -taken.length)
    return taken
  }

  /** Ends the pause before the next attempt of a target, or omits the one that would follow the attempt in flight. */
  #hasten(target: Target): void {
    target.isHastened = target.isAttempting
    if (target.pause === undefined) return
    clearTimeout(target.pause)
    this.#continue(target)
  }

  /** Attempts the first delivery of a target when it gets a slot. */
  #continue(target: Target): void {
    const { destination, waiting, key } = target
    target.pause = undefined
    if (waiting.length === 0) this.#targets.delete(key)
    else if (destination) this.#slots.request(destination, () => this.#begin(target))
    else this.#begin(target)
  }

  #begin(target: Target): void {
    if (this.#isClosed) return
    const attempt = this.#deliverFirst(target)
    this.#attempts.add(attempt)
    void attempt.then(() => this.#attempts.delete(attempt))
  }

  async #deliverFirst(target: Target): Promise<void> {
    const { destination } = target
    const [delivery] = target.waiting
    target.isAttempting = true
    target.isHastened = false
    const result = delivery ? await this.#attempt(delivery) : 'unwanted'
    if (destination) this.#slots.release(destination, result)
    target.attempts++
    const isOver = delivery === undefined || (await this.#conclude(delivery, result, target.attempts))
    target.isAttempting = false
    if (isOver) {
      target.attempts = 0
      if (target.waiting.shift()) this.#byAccount.change(target.account, -1)
    }
    if (this.#isClosed) return
    // After a silent receiver, `AttemptSlots` delays the next attempt.
    if (isOver || target.isHastened || result instanceof SilentReceiver) return this.#continue(target)
    const pauseMs = backoffMs(target.attempts - 1, this.host.backoffMs, maxBackoffMs)
    target.pause = setTimeout(() => this.#continue(target), pauseMs)
  }

  async #attempt(delivery: Delivery): Promise<Result> {
    try {
      const alert = this.host.alert(delivery.alert)
      if (!alert || !(await this.host.isWanted(alert))) return 'unwanted'
      await this.#timed(alert, this.host.attempt(delivery, alert, this.#ending.signal))
      return 'delivered'
    } catch (error) {
      return error as Error
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
      if (webhook) this.host.onWebhook?.(outcome, (performance.now() - startedAt) / 1000)
    }
  }

  /** Stores the result of an attempt. Returns whether the delivery is finished. */
  async #conclude(delivery: Waiting, result: Result, attempts: number): Promise<boolean> {
    const { clock, ages, giveUpSeconds, onOutcome } = this.host
    if (result === 'delivered') onOutcome('delivered')
    if (!(result instanceof Error)) return this.#acknowledge([delivery])
    if (this.#isClosed) return false
    onOutcome('failed')
    if (!(result instanceof UnsendableMessage) && ages.now() - delivery.since < giveUpSeconds) return false
    onOutcome('dead')
    const deadText = writeDeadLetter(delivery, result.message, attempts, clock())
    await this.host.deadLetter(delivery, deadText).catch(this.host.onFault)
    return true
  }

  /** Acknowledges deliveries. If the store fails, the next process delivers them again with the same ids. */
  async #acknowledge(deliveries: readonly Delivery[]): Promise<true> {
    await this.host.acknowledge(deliveries).catch(this.host.onFault)
    return true
  }
}

const maxAttempts = 64
const maxPerAccount = maxAttempts / 4
const maxPerHost = maxAttempts / 2
/** Number of attempts in flight from which only an account without any may start one. */
const maxShared = maxAttempts / 2

interface Line extends Destination {
  /** Starts the waiting attempts, in order of arrival. */
  readonly waiting: (() => void)[]
  active: number
  /** Number of consecutive timeouts. */
  silences: number
  /** Timer of the pause after a timeout. */
  pause: NodeJS.Timeout | undefined
}

/**
 * Bounds the attempts in flight. Accounts alternate, and an account without attempts can start one while others wait
 * for answers. After a timeout, the account's next attempt at this host is delayed, and attempts are made one at a time
 * until one is answered.
 */
export class AttemptSlots {
  readonly #lines = new Map<string, Line>()
  /** Lines with a waiting attempt whose destination may be tried. */
  readonly #queue = new FairQueue<Line>()
  readonly #byAccount = new Counts()
  readonly #byHost = new Counts()
  readonly #permission = {
    key: (account: string) => this.#mayBegin(account),
    item: ({ host }: Line) => this.#byHost.of(host) < maxPerHost,
  }

  constructor(private readonly backoffMs: number) {}

  /** Calls `begin` when an attempt may begin. At its end, `release` must be called. */
  request({ account, host }: Destination, begin: () => void): void {
    const key = lineKey({ account, host })
    const line = this.#lines.get(key) ?? {
      ...{ account, host, waiting: [], active: 0, silences: 0, pause: undefined },
    }
    this.#lines.set(key, line)
    line.waiting.push(begin)
    this.#update(line)
    // All other waiting attempts are blocked, or they would have begun earlier.
    if (this.#mayBegin(account)) this.#beginSome()
  }

  release(destination: Destination, result: Result): void {
    const line = this.#lines.get(lineKey(destination)) as Line
    this.#count(line, -1)
    if (result instanceof SilentReceiver) this.#leaveAlone(line)
    else if (result !== 'unwanted') this.#reopen(line, 0)
    this.#update(line)
    this.#beginSome()
  }

  close(): void {
    for (const { pause } of this.#lines.values()) clearTimeout(pause)
  }

  #mayBegin(account: string): boolean {
    const own = this.#byAccount.of(account)
    if (own === 0) return this.#byAccount.total < maxAttempts
    return own < maxPerAccount && this.#byAccount.total < maxShared
  }

  /** Starts all attempts that may begin, alternating between accounts. */
  #beginSome(): void {
    for (let line = this.#queue.shift(this.#permission); line; line = this.#queue.shift(this.#permission)) {
      const begin = line.waiting.shift() as () => void
      this.#count(line, 1)
      this.#update(line)
      begin()
    }
  }

  #leaveAlone(line: Line): void {
    // Concurrent timeouts count as one.
    if (line.pause !== undefined) return
    const ms = backoffMs(line.silences++, this.backoffMs, maxBackoffMs)
    line.pause = setTimeout(() => {
      this.#reopen(line, line.silences)
      this.#update(line)
      this.#beginSome()
    }, ms)
  }

  #reopen(line: Line, silences: number): void {
    clearTimeout(line.pause)
    line.pause = undefined
    line.silences = silences
  }

  #count(line: Line, by: 1 | -1): void {
    line.active += by
    this.#byAccount.change(line.account, by)
    this.#byHost.change(line.host, by)
  }

  /** Adds a line to the queue or removes it from there, and deletes a line without state. */
  #update(line: Line): void {
    const { account, waiting, active, silences, pause } = line
    const isReady = waiting.length > 0 && pause === undefined && (silences === 0 || active === 0)
    if (isReady) this.#queue.push(account, line)
    else this.#queue.remove(account, line)
    if (waiting.length === 0 && active === 0 && pause === undefined) this.#lines.delete(lineKey(line))
  }
}

const lineKey = ({ account, host }: Destination): string => `${account} ${host}`

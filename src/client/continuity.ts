import { timeframes } from '../candles/timeframe.js'
import type { BulkClient } from './bulk.js'
import type { IndicatorResult, Subscription, Update } from './types.js'
import { UpdateQueue } from './unread.js'

/** Time for which missing candles of several subscriptions are collected for one request, in milliseconds. */
const collectMs = 100

/** The state of one subscription. */
interface Track {
  readonly subscription: Subscription
  /**
   * Open time of the newest closed candle that was passed on. Initially, the open time of the candle before the first
   * update.
   */
  lastClosed: number | undefined
  /** Updates that wait until the closed candles before them have arrived. */
  waiting: UpdateQueue | undefined
  /** Whether the market itself has no candles at some times. Missing candles of these times are no gap. */
  hasSteps: boolean
  /** Whether closed candles before the next update are missing for good. */
  isGap: boolean
  /**
   * Number of bars with the time `lastClosed` that were passed on; Infinity for all. Several bars may have the same
   * time.
   */
  barsOfLast: number
  /** Whether bars may be missing since the last one. Times of bars do not show gaps. */
  lacksBars: boolean
  /** Requested bars that the service also sends as updates, because they closed on the present connection. */
  repeated: readonly Update['data'][]
}

/** Whether the bars of a subscription close by price, at any time. */
const hasOwnTimes = ({ chart = 'candles' }: Subscription): boolean => !/^(candles|heikinashi)$/i.test(chart)

/** A request for the closed candles of a track after `after` and before `before`. */
interface Question {
  readonly track: Track
  readonly after: number
  readonly before: number
  readonly seconds: number
}

/**
 * Passes on the updates of all subscriptions without gaps between closed candles. Candles are missing after a lost
 * connection, or if the service skipped updates for a slow client. Their values are requested in bulk and passed on
 * before the next update.
 */
export class Continuity {
  readonly #tracks: ReadonlyMap<string, Track>
  #questions: Question[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #requests = new AbortController()

  constructor(
    subscriptions: readonly Subscription[],
    private readonly bulk: BulkClient,
    private readonly pass: (update: Update) => void,
  ) {
    this.#tracks = new Map(subscriptions.map(subscription => [subscription.id, newTrack(subscription)]))
  }

  /** Whether a subscription has received updates. Without an id: whether any subscription has. */
  hasUpdates(id?: string): boolean {
    if (id !== undefined) return this.#tracks.get(id)?.lastClosed !== undefined
    return [...this.#tracks.values()].some(({ lastClosed }) => lastClosed !== undefined)
  }

  /** Receives an update of the service. The caller gets it with the indicator as its subscription names it. */
  receive(received: Omit<Update, 'indicator'>): void {
    const track = this.#tracks.get(received.id)
    if (!track) return
    const update: Update = { ...received, indicator: track.subscription.indicator }
    if (track.waiting) {
      track.waiting.push(update)
      return
    }
    if (hasOwnTimes(track.subscription)) this.#receiveBar(track, update)
    else this.#receiveCandle(track, update)
  }

  #receiveCandle(track: Track, update: Update): void {
    const { timestamp } = update.data
    const seconds = timeframes[track.subscription.timeframe]
    const after = track.lastClosed
    if (after === undefined) track.lastClosed = timestamp - seconds
    else if (update.closed && timestamp <= after) return
    else if (timestamp - seconds > after && !track.hasSteps) {
      track.waiting = new UpdateQueue()
      track.waiting.push(update)
      this.#ask({ track, after, before: timestamp, seconds })
      return
    }
    this.#deliver(track, update)
  }

  #receiveBar(track: Track, update: Update): void {
    const { lastClosed: after, subscription } = track
    if (!track.lacksBars || after === undefined) {
      if (!isRepeated(track, update)) this.#deliverBar(track, update)
      return
    }
    const seconds = timeframes[subscription.timeframe]
    track.waiting = new UpdateQueue()
    track.waiting.push(update)
    this.#ask({ track, after, before: update.data.timestamp, seconds })
  }

  #deliverBar(track: Track, update: Update): void {
    const { timestamp } = update.data
    // Of several bars with the time of the first bar, the service sends only the last one.
    if (track.lastClosed === undefined) track.barsOfLast = Number.POSITIVE_INFINITY
    else track.barsOfLast = timestamp === track.lastClosed ? track.barsOfLast + 1 : 1
    this.#deliver(track, update)
  }

  /** Drops the waiting updates and questions, because a new connection sends the updates again. */
  reset(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#questions = []
    this.#requests.abort()
    this.#requests = new AbortController()
    for (const track of this.#tracks.values()) {
      track.waiting = undefined
      track.hasSteps = false
      track.lacksBars = true
      track.repeated = []
    }
  }

  #deliver(track: Track, update: Update): void {
    if (update.closed) track.lastClosed = update.data.timestamp
    this.pass(track.isGap ? { ...update, gap: true } : update)
    track.isGap = false
  }

  #ask(question: Question): void {
    this.#questions.push(question)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#answer(this.#questions.splice(0))
    }, collectMs)
  }

  async #answer(questions: readonly Question[]): Promise<void> {
    const { signal } = this.#requests
    const markets = new Map<string, [Question, ...Question[]]>()
    for (const question of questions) {
      const name = marketOf(question)
      const others = markets.get(name)
      if (others) others.push(question)
      else markets.set(name, [question])
    }
    const groups = [...markets.values()]
    const constructs = groups.map((group, at) => toConstruct(`m${at}`, group))
    const results = await this.bulk.send('/bulk', constructs, { signal }).catch(() => undefined)
    if (signal.aborted) return
    for (const [at, group] of groups.entries())
      for (const [place, question] of group.entries())
        this.#resume(question, results?.[`m${at}`]?.[`i${place}`] as IndicatorResult | null | undefined)
  }

  #resume({ track, after, before, seconds }: Question, result: IndicatorResult | null | undefined): void {
    const { subscription } = track
    const waiting = [...(track.waiting?.takeAll() ?? [])]
    track.waiting = undefined
    if (hasOwnTimes(subscription)) {
      this.#resumeBars(track, after, waiting, result)
      return
    }
    const oldest = result?.timestamp[0]
    track.isGap = oldest === undefined || oldest > after
    const fields = Object.keys(waiting[0]?.data ?? {}).filter(field => field !== 'timestamp')
    const missed = result ? rowsOf(result, fields) : []
    const between = missed.filter(({ timestamp }) => timestamp > after && timestamp < before)
    track.hasSteps = !track.isGap && between.length === 0
    for (const data of between)
      this.#deliver(track, { id: subscription.id, indicator: subscription.indicator, data, closed: true })
    track.lastClosed = before - seconds
    for (const update of waiting) this.receive(update)
  }

  /** Passes on the missed bars, then the waiting updates. */
  #resumeBars(
    track: Track,
    after: number,
    waiting: readonly Update[],
    result: IndicatorResult | null | undefined,
  ): void {
    const { subscription, barsOfLast } = track
    const oldest = result?.timestamp[0]
    track.isGap = oldest === undefined || oldest > after
    track.lacksBars = false
    const fields = Object.keys(waiting[0]?.data ?? {}).filter(field => field !== 'timestamp')
    const rows = (result ? rowsOf(result, fields) : []).filter(({ timestamp }) => timestamp >= after)
    const known = rows.filter(({ timestamp }) => timestamp === after).length
    for (const data of rows.slice(Math.min(known, barsOfLast)))
      this.#deliverBar(track, { id: subscription.id, indicator: subscription.indicator, data, closed: true })
    track.repeated = rows.slice(indexOfUpdate(waiting[0] as Update, rows))
    for (const update of waiting) this.#receiveBar(track, update)
  }
}

const newTrack = (subscription: Subscription): Track => ({
  subscription,
  lastClosed: undefined,
  waiting: undefined,
  hasSteps: false,
  isGap: false,
  barsOfLast: 0,
  lacksBars: false,
  repeated: [],
})

/** Index in `rows` of the first bar that the service also sends, from the given update on. */
function indexOfUpdate({ data, closed }: Update, rows: readonly Update['data'][]): number {
  const place = closed
    ? rows.map(row => isSame(row, data)).lastIndexOf(true)
    : rows.findIndex(({ timestamp }) => timestamp > data.timestamp)
  return place < 0 ? rows.length : place
}

/**
 * Whether an update repeats a requested bar. Removes a repeated closed bar from `track.repeated`, and clears
 * `track.repeated` after a different bar.
 */
function isRepeated(track: Track, { data, closed }: Update): boolean {
  const [next] = track.repeated
  if (!next) return false
  // The forming state of a bar that has closed since.
  if (!closed) return true
  const isNext = isSame(next, data)
  track.repeated = isNext ? track.repeated.slice(1) : []
  return isNext
}

const isSame = (row: Update['data'], data: Update['data']): boolean =>
  Object.keys(data).every(name => row[name] === data[name])

/** Key of a market, equal for all its spellings, because a request may name a market only once. */
const marketOf = ({ track: { subscription } }: Question): string => {
  const { exchange, symbol, timeframe, adjustment = '' } = subscription
  return `${`${exchange} ${symbol.replaceAll(/[/-]/g, '')}`.toLowerCase()} ${timeframe} ${adjustment}`
}

/** Bulk construct that requests the closed candles of subscriptions to one market. */
function toConstruct(id: string, group: readonly [Question, ...Question[]]) {
  const { exchange, symbol, timeframe, adjustment } = group[0].track.subscription
  const indicators = group.map(({ track: { subscription }, after, before, seconds }, place) => ({
    ...subscription.params,
    id: `i${place}`,
    indicator: subscription.indicator,
    settled: subscription.settled,
    chart: subscription.chart,
    // A range may need a fetch; the bars in memory are available immediately.
    results: hasOwnTimes(subscription) ? 'max' : countSince(after, before, seconds),
  }))
  return { id, exchange, symbol, timeframe, ...(adjustment && { adjustment }), indicators }
}

/**
 * Number of candles from the last known one to the newest. Counts up to the present time, because an update may be read
 * late.
 */
const countSince = (after: number, before: number, seconds: number): number =>
  Math.ceil((Math.max(before, Date.now() / 1000) - after) / seconds) + 2

/** Converts a result to the data of updates. In updates, a single output has the name of the indicator. */
function rowsOf(result: IndicatorResult, fields: readonly string[]): readonly Update['data'][] {
  const columns = Object.keys(result).filter(column => column !== 'timestamp')
  return result.timestamp.map((timestamp, at) => {
    const values = fields.map(field => {
      const column = Object.hasOwn(result, field) ? field : (columns[0] as string)
      return [field, result[column]?.[at] ?? null]
    })
    return { timestamp, ...Object.fromEntries(values) }
  })
}

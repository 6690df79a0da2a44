import { type Candle, isEarlier, isSame } from '../candles/candle.js'
import { closedAt, type Snapshot } from '../candles/columns.js'
import { timeframes } from '../candles/timeframe.js'
import type { Market } from '../contract/market.js'
import { type Source, SourceFailure } from '../exchanges/source.js'
import { asFailure, type PinnedSeries } from '../history/history.js'
import type { Follower } from './follower.js'

/** How a feed behaves. */
export interface FeedSettings {
  /** Changes of a forming candle that followers hear at most in a second. */
  readonly formingPerSecond: number
  /** Seconds between two fetches of a market that has no stream, where its source says nothing else. */
  readonly pollSeconds: number
  /** Milliseconds before a lost stream is opened again; they double with every failure, up to a minute. */
  readonly backoffMs: number
  /** Unix seconds. */
  readonly clock: () => number
  /** Told of what went wrong and is being repaired, and of followers that throw. */
  readonly onFault: (error: unknown, market: Market) => void
}

/**
 * How long after its end a candle without a successor is taken as closed: exchanges push the first state of the next
 * one up to two seconds late (Binance's klines come every 2000 ms), and finish their own candles with a delay.
 */
const graceSeconds = 3
/** A stream without events for so long is compared with the exchange: it is quiet, or it is dead. */
const silentSeconds = 30
/** The least time between two fetches that check a closed candle. */
const checkSeconds = 2
/** How much later than over REST a stream may tell what happened; one that does not until then is dead. */
const tardySeconds = 5
/** A stream that lasted longer than this was sound: the next failure counts as the first. */
const soundMs = 30_000
const longestBackoffMs = 60_000
/** How often, and in which steps, an exchange is asked again whose REST answers are behind its stream. */
const lateRetries = 3
const lateMs = 700
/** Candles that wait for a fetch at most; what is older than them comes with the fetch. */
const mostWaiting = 1000
/** The least a fetch asks for: the forming candle, and closed ones before it that may have been corrected. */
const leastCandles = 5

/** Whether two looks at one place of a series show the same candle, or both none. */
const isUnmoved = (one: Candle | undefined, other: Candle | undefined): boolean =>
  one === other ||
  (one !== undefined && other !== undefined && one.timestamp === other.timestamp && isSame(one, other))

/** The open time of the newest closed candle, and of the newest one of all. */
function endOf({ columns, closed, forming }: Snapshot): { closedEnd: number; newest: number } {
  const closedEnd = closed === 0 ? Number.NEGATIVE_INFINITY : (columns.timestamp[closed - 1] as number)
  return { closedEnd, newest: forming?.timestamp ?? closedEnd }
}

interface Listener {
  readonly follower: Follower
  isListening: boolean
}

/**
 * Keeps one series up to date and tells its followers. The stream of the source says what is new; whatever the stream
 * cannot prove is fetched: what was missed before its first event, holes, candles that end without a successor, and
 * closed candles that it tells differently. Without a stream, or while it is down, the series is polled.
 */
export class Feed {
  readonly #market: Market
  readonly #source: Source
  readonly #attached: PinnedSeries
  readonly #settings: FeedSettings
  readonly #length: number
  readonly #grace: number
  readonly #pollSeconds: number
  readonly #listeners = new Set<Listener>()
  readonly #ending = new AbortController()
  readonly #running: Promise<void>

  /** What followers were told last. */
  #told: Snapshot
  /** Runs for as long as a change of the forming candle has to wait. */
  #resting: NodeJS.Timeout | undefined
  #hasMore = false

  #connection: AbortController | undefined
  /** The stream has told something since it was opened. */
  #isStreaming = false
  /** What happened before the stream was opened is in the series. */
  #isCaughtUp = false
  /** What the stream told and the series does not have yet, the latest state of each candle. */
  readonly #waiting = new Map<number, Candle>()
  /** Events wait for a fetch. */
  #isHolding = false
  /** The stream told a state of the forming candle that cannot be its latest, so it has to be fetched when it closes. */
  #isDoubtful = false
  /** The oldest candle that the stream told differently after it was closed. */
  #suspect = Number.POSITIVE_INFINITY
  /** Answers in a row that did not reach beyond the suspect. */
  #unproven = 0
  #heard = 0
  /** When the exchange showed what a silent stream had not told; undefined while there is no such doubt. */
  #missed: number | undefined
  #asked: number
  /** What opened before this was shown by the exchange. */
  #shown = Number.NEGATIVE_INFINITY
  #fetching: Promise<void> | undefined
  /** Until when a poll counts as fresh. */
  #freshUntil = 0

  constructor(market: Market, source: Source, attached: PinnedSeries, settings: FeedSettings) {
    this.#market = market
    this.#source = source
    this.#attached = attached
    this.#settings = settings
    this.#length = timeframes[market.timeframe]
    // What a source holds for fresh may be that old, so it cannot show the end of a candle any sooner.
    this.#grace = Math.max(graceSeconds, source.freshSeconds ?? 0)
    this.#pollSeconds = Math.max(1, source.freshSeconds ?? settings.pollSeconds)
    this.#asked = settings.clock()
    this.#told = attached.snapshot()
    this.#running = this.#run()
  }

  snapshot(): Snapshot {
    return this.#attached.snapshot()
  }

  /** Adds a follower, and answers how to remove it. It hears nothing before the caller has had its turn. */
  add(follower: Follower): () => void {
    const listener: Listener = { follower, isListening: false }
    const told = this.#told
    this.#listeners.add(listener)
    setImmediate(() => {
      listener.isListening = true
      if (this.#told !== told) this.#say(listener, this.#told)
    })
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Looks at the clock; called a few times in a second. */
  tick(): void {
    if (this.#ending.signal.aborted) return
    const now = this.#settings.clock()
    if (now < this.#asked || now < this.#heard) this.#forgetTimes(now)
    const sinceAsked = now - this.#asked
    const isSilent = now - this.#heard >= silentSeconds
    // An exchange that takes its time to answer does not keep the series good.
    if (!this.#isStreaming) this.#attached.isCurrent = now < this.#freshUntil
    else if (isSilent && this.#fetching && sinceAsked >= checkSeconds) this.#attached.isCurrent = false
    if (this.#missed !== undefined && now - this.#missed >= tardySeconds) this.#giveUp()
    if (this.#fetching) return
    const { forming } = this.#attached.snapshot()
    const end = forming ? forming.timestamp + this.#length + this.#grace : Number.POSITIVE_INFINITY
    if (!this.#isStreaming) {
      if ((now >= end && this.#asked < end) || sinceAsked >= this.#pollSeconds) this.#fetch()
      return
    }
    // An exchange may never show the candle: then it is asked ever more rarely.
    const isOverdue =
      now >= end && (this.#asked < end || sinceAsked >= Math.max(this.#pollSeconds, (now - end) / 4))
    const checkAfter = Math.min(silentSeconds, checkSeconds * 2 ** this.#unproven)
    const isSuspect = this.#suspect < Number.POSITIVE_INFINITY && sinceAsked >= checkAfter
    const isHeldUp = this.#isHolding && sinceAsked >= this.#pollSeconds
    if (isOverdue || isSuspect || isHeldUp || (isSilent && sinceAsked >= silentSeconds)) this.#fetch()
  }

  /** The clock was set back: what was noted by it says nothing any more. */
  #forgetTimes(now: number): void {
    this.#heard = Math.min(this.#heard, now)
    this.#asked = Number.NEGATIVE_INFINITY
    this.#shown = Number.NEGATIVE_INFINITY
    this.#freshUntil = 0
    this.#missed = undefined
  }

  /** Ends the stream and gives the series back. */
  async close(): Promise<void> {
    this.#ending.abort()
    this.#connection?.abort()
    this.#listeners.clear()
    clearTimeout(this.#resting)
    // From here on nobody brings what is new.
    this.#attached.isCurrent = false
    this.#attached.release()
    await this.#running
  }

  async #run(): Promise<void> {
    const { symbol, timeframe } = this.#market
    const ended = this.#ending.signal
    for (let failures = 0; !ended.aborted; failures++) {
      const connection = new AbortController()
      this.#connection = connection
      const opened = performance.now()
      try {
        const stream = await this.#whileOpen(this.#source.watch?.(symbol, timeframe, connection.signal))
        if (stream === undefined) return
        for await (const candles of stream) {
          if (connection.signal.aborted) break
          this.#hear(candles)
        }
        if (!connection.signal.aborted) throw new SourceFailure('unavailable', 'the stream ended')
      } catch (error) {
        if (!connection.signal.aborted) this.#settings.onFault(error, this.#market)
      }
      connection.abort()
      if (ended.aborted) return
      this.#lose()
      if (performance.now() - opened > soundMs) failures = 0
      await this.#pause(this.#backoff(failures))
    }
  }

  /** What a promise brings, or undefined where the feed is closed before. */
  #whileOpen<Result>(promise: Result | Promise<Result>): Promise<Result | undefined> {
    const { signal } = this.#ending
    return new Promise((resolve, reject) => {
      const end = () => resolve(undefined)
      signal.addEventListener('abort', end)
      void Promise.resolve(promise)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', end))
    })
  }

  /** Half of the time is fixed and half left to chance, so that the feeds of one connection do not return as one. */
  #backoff(failures: number): number {
    const full = Math.min(longestBackoffMs, this.#settings.backoffMs * 2 ** Math.min(failures, 20))
    return full * (0.5 + Math.random() / 2)
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#ending
    if (signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end)
    })
  }

  /** The stream is gone: from now on the series is polled, which also brings what was waiting. */
  #lose(): void {
    if (!this.#isStreaming) return
    this.#isStreaming = false
    this.#isCaughtUp = false
    this.#isHolding = false
    this.#waiting.clear()
    this.#missed = undefined
    this.#attached.isCurrent = false
    this.#freshUntil = 0
    this.#asked = Number.NEGATIVE_INFINITY
  }

  /** The stream went silent: its connection is dropped, and another one opened. */
  #giveUp(): void {
    this.#missed = undefined
    const { exchange, symbol } = this.#market
    const failure = new SourceFailure('unavailable', `the stream of ${symbol} on ${exchange} went silent`)
    this.#settings.onFault(failure, this.#market)
    this.#connection?.abort(failure)
  }

  #hear(candles: readonly Candle[]): void {
    this.#heard = this.#settings.clock()
    this.#isStreaming = true
    this.#missed = undefined
    for (const candle of candles) {
      const known = this.#waiting.get(candle.timestamp)
      if (known && isEarlier(candle, known)) this.#isDoubtful = true
      else this.#waiting.set(candle.timestamp, candle)
    }
    if (!this.#isHolding) this.#take()
  }

  /**
   * Takes what waits into the series. Where the series would have a hole, or close a candle whose last state is not
   * known, it waits for a fetch instead; `isFetched` says that there was one just now, so that a hole is one of the
   * market itself.
   */
  #take(isFetched = false): void {
    const snapshot = this.#attached.snapshot()
    const { forming } = snapshot
    const { closedEnd, newest } = endOf(snapshot)
    const fresh: Candle[] = []
    let reached = newest
    let isMissing = !this.#isCaughtUp
    for (const candle of [...this.#waiting.values()].sort((a, b) => a.timestamp - b.timestamp)) {
      const { timestamp } = candle
      if (timestamp < newest || timestamp === closedEnd) {
        this.#compare(candle, snapshot, isFetched)
      } else if (timestamp === newest && forming && isEarlier(candle, forming)) {
        this.#isDoubtful = true
      } else {
        isMissing ||= timestamp > reached + this.#length || (this.#isDoubtful && timestamp > newest)
        reached = timestamp
        fresh.push(candle)
      }
    }
    this.#waiting.clear()
    if (isMissing && !isFetched) {
      for (const candle of fresh.slice(-mostWaiting)) this.#waiting.set(candle.timestamp, candle)
      this.#isHolding = true
      this.#attached.isCurrent = false
      this.#fetch()
      return
    }
    if (fresh.length === 0) return
    if (reached > newest) this.#isDoubtful = false
    this.#attached.merge(fresh, reached)
    this.#attached.isCurrent = true
    this.#tell()
  }

  /**
   * A stream carries no time of its events, so a candle told after it was closed may be a late copy of an earlier
   * state as well as a correction. Only the exchange's own history can say which.
   */
  #compare(candle: Candle, snapshot: Snapshot, isFetched: boolean): void {
    const { columns, count } = snapshot
    if (count === 0 || candle.timestamp < (columns.timestamp[0] as number)) return
    const known = closedAt(snapshot, candle.timestamp)
    if (known && isSame(candle, known)) return
    if (isFetched && known && isEarlier(candle, known)) return
    this.#suspect = Math.min(this.#suspect, candle.timestamp)
  }

  #fetch(): void {
    this.#fetching ??= this.#catchUp()
      .catch(error => this.#settings.onFault(error, this.#market))
      .finally(() => {
        this.#fetching = undefined
      })
  }

  /** Fetches the end of the series; where events wait for it, until it is there. */
  async #catchUp(): Promise<void> {
    const { clock, onFault } = this.#settings
    for (let attempt = 0; !this.#ending.signal.aborted; attempt++) {
      const started = clock()
      this.#asked = started
      const suspect = this.#suspect
      this.#suspect = Number.POSITIVE_INFINITY
      let candles: readonly Candle[]
      try {
        candles = await this.#ask(started, suspect)
      } catch (error) {
        if (this.#ending.signal.aborted) return
        this.#suspect = Math.min(this.#suspect, suspect)
        this.#attached.isCurrent = false
        onFault(asFailure(error), this.#market)
        if (!this.#isHolding) return
        await this.#pause(Math.min(this.#backoff(attempt), this.#pollSeconds * 1000))
        continue
      }
      if (this.#ending.signal.aborted) return
      const last = candles.at(-1)?.timestamp ?? Number.NEGATIVE_INFINITY
      const isLate = this.#isHolding && [...this.#waiting.keys()].some(timestamp => timestamp > last)
      if (isLate && attempt < lateRetries) {
        this.#suspect = Math.min(this.#suspect, suspect)
        await this.#pause(lateMs)
        continue
      }
      this.#settle(candles, started)
      // The last candle of an answer that is behind the stream may have been unfinished, and so may a suspect be.
      const isProven = suspect === Number.POSITIVE_INFINITY || last > suspect
      this.#unproven = isProven ? 0 : this.#unproven + 1
      if (!isProven) this.#suspect = Math.min(this.#suspect, suspect)
      if (isLate) this.#suspect = Math.min(this.#suspect, last)
      else this.#shown = started
      return
    }
  }

  async #ask(now: number, suspect: number): Promise<readonly Candle[]> {
    const { symbol, timeframe } = this.#market
    const { closedEnd } = endOf(this.#attached.snapshot())
    const until = Math.max(now, ...this.#waiting.keys())
    const since = (from: number) =>
      Math.max(leastCandles, from > 0 ? Math.ceil((until - from) / this.#length) + 2 : 0)
    const all = since(Math.min(closedEnd, suspect))
    // Where nothing was traded for long there is little to be asked for.
    const few = Math.min(all, since(Math.min(Math.max(closedEnd, this.#shown - 2 * this.#length), suspect)))
    const candles = await this.#source.candles(symbol, timeframe, few)
    const oldest = candles[0]?.timestamp ?? Number.NEGATIVE_INFINITY
    if (few === all || oldest <= Math.min(closedEnd + this.#length, suspect)) return candles
    return this.#source.candles(symbol, timeframe, all)
  }

  /** Takes in what the exchange answered to a question that was asked at `started`. */
  #settle(candles: readonly Candle[], started: number): void {
    const snapshot = this.#attached.snapshot()
    const { forming } = snapshot
    const { closedEnd, newest } = endOf(snapshot)
    const last = candles.at(-1)
    let hasNews = false
    if (last) {
      const end = last.timestamp + this.#length
      const isOver = started >= end + this.#grace
      const isForming = last.timestamp === forming?.timestamp
      hasNews = last.timestamp > newest || (isForming && isEarlier(forming, last))
      // All but the last candle of an answer are final. The last one may be older than what the stream has told.
      const isBehind = isForming ? isEarlier(last, forming) : last.timestamp <= newest && !isOver
      const isKnown = isBehind && !isForming && last.timestamp === closedEnd
      const known = isForming ? forming : isKnown ? closedAt(snapshot, closedEnd) : undefined
      const sound = isBehind && known ? [...candles.slice(0, -1), known] : candles
      const reached = isBehind ? (isKnown ? end : newest) : Math.max(newest, isOver ? end : last.timestamp)
      if (reached > newest) this.#isDoubtful = false
      this.#attached.merge(sound, reached)
    }
    if (this.#isHolding) {
      this.#isHolding = false
      this.#isCaughtUp = true
      this.#take(true)
    }
    this.#attached.isCurrent = true
    this.#freshUntil = this.#nextEnd(started, last)
    this.#tell()
    if (this.#isStreaming && hasNews && started - this.#heard >= silentSeconds)
      this.#missed ??= this.#settings.clock()
  }

  /** Until when an answer counts as fresh: until the next one is due, at most to the end of the forming candle. */
  #nextEnd(started: number, last: Candle | undefined): number {
    const due = started + this.#pollSeconds * 2
    if (!last) return due
    const lengths = Math.floor((started - last.timestamp) / this.#length) + 1
    return Math.min(due, last.timestamp + lengths * this.#length)
  }

  /** Tells the followers what the series is now, unless they know it or the forming candle has to wait. */
  #tell(): void {
    const snapshot = this.#attached.snapshot()
    const { columns, closed, forming } = this.#told
    if (snapshot.columns === columns && snapshot.closed === closed) {
      if (isUnmoved(snapshot.forming, forming)) return
      if (this.#resting) {
        this.#hasMore = true
        return
      }
    }
    this.#told = snapshot
    this.#rest()
    for (const listener of [...this.#listeners]) if (listener.isListening) this.#say(listener, snapshot)
  }

  #rest(): void {
    clearTimeout(this.#resting)
    this.#hasMore = false
    this.#resting = setTimeout(() => {
      this.#resting = undefined
      if (this.#hasMore) this.#tell()
    }, 1000 / this.#settings.formingPerSecond)
  }

  #say(listener: Listener, snapshot: Snapshot): void {
    if (!this.#listeners.has(listener)) return
    try {
      listener.follower.onChange(snapshot)
    } catch (error) {
      this.#settings.onFault(error, this.#market)
    }
  }
}

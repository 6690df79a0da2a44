import type { Subscription, Update } from '../service/streaming.js'
import { isSameMarket, liveKey, type Market, type Study, secondsOf, type View } from '../view/view.js'
import { allParameters, type Catalogue, calculationKey, readResult, readUpdate } from './catalogue.js'
import { conditionExpression, describeExpression, expressionIndicator } from './expression.js'
import type { Loader } from './loader.js'
import { faultOfStudy } from './parameter-check.js'
import type { PictureListener } from './picture-listener.js'
import {
  bulkBody,
  candleIndicator,
  candlesPath,
  pageSize,
  reachesNewest,
  readBulk,
  type Window,
} from './requests.js'
import { type Candle, isGap, mergeRows, missedCandles, putRow, type StudyRow } from './rows.js'
import type { Status } from './status.js'
import { areOneHistory, completeFrom, loadingStudy, noteSettling, type StudyData } from './study-data.js'
import { SubscriptionPlan } from './subscription-plan.js'

/** Maximum number of candles kept, which bounds the memory of scrolling back and of streaming for days. */
const maxCandles = 10_000

interface Options {
  readonly loader: Loader
  readonly catalogue: () => Promise<Catalogue | undefined>
  readonly follow: (subscriptions: readonly Subscription[]) => void
  readonly listener: () => PictureListener
  /** Finds markets with similar names, because this one does not exist. */
  readonly findNear: (market: Market) => Promise<readonly Market[]>
}

/** The candles and indicator values of the chart, complete and live: history over REST, then every update. */
export class Picture {
  readonly #options: Options
  #market: Market | undefined
  candles: Candle[] = []
  readonly studies = new Map<string, StudyData>()
  #catalogue: Catalogue | undefined
  #abort = new AbortController()
  /** Updates that arrived while their history was being fetched; they are newer than that history. */
  #buffer: Update[] | undefined
  #isBehind = false
  #isLoadingOlder = false
  #hasAll = false
  /** Whether candles older than the service's memory are shown. Values from memory alone do not reach back to them. */
  #isBeyondMemory = false
  readonly #plan = new SubscriptionPlan()
  #age: number | undefined

  constructor(options: Options) {
    this.#options = options
  }

  get #listener(): PictureListener {
    return this.#options.listener()
  }

  get market(): Market | undefined {
    return this.#market
  }

  /** Shows a view: loads another market as a whole, and only the new studies of the same market. */
  show({ market, studies }: View): void {
    if (!this.#market || !isSameMarket(market, this.#market)) {
      this.#market = market
      this.reload(studies)
      return
    }
    const changed = this.#adopt(studies)
    this.#follow()
    if (changed.length > 0) void this.#loadStudies(changed, this.#abort.signal)
  }

  /** Fetches everything again, for example after a new key. */
  reload(studies: readonly Study[] = [...this.studies.values()].map(({ study }) => study)): void {
    this.#abort.abort()
    this.#abort = new AbortController()
    this.candles = []
    this.studies.clear()
    this.#hasAll = false
    this.#isBeyondMemory = false
    this.#listener.onBeginning(undefined)
    this.#age = undefined
    this.#isLoadingOlder = false
    this.#isBehind = false
    this.#adopt(studies)
    this.#listener.onCandles()
    this.#listener.onStatus({ kind: 'loading' })
    this.#follow()
    void this.#load(this.#abort.signal)
  }

  /** Must be called when the connection is open again: with the next candle, missed candles are fetched. */
  reconnected(): void {
    this.#isBehind = this.candles.length > 0
  }

  /** The status while the connection is open. */
  get openStatus(): Status {
    if (!this.#market) return { kind: 'loading' }
    const { exchange, symbol, timeframe } = this.#market
    if (this.candles.length === 0)
      return { kind: 'refused', error: `${symbol} on ${exchange} has no candles of ${timeframe} yet.` }
    return this.#age === undefined ? { kind: 'live' } : { kind: 'stale', exchange, age: this.#age }
  }

  /** Takes over the studies of a view; returns the studies without values. */
  #adopt(studies: readonly Study[]): readonly Study[] {
    const wanted = new Set(studies.map(({ id }) => id))
    for (const id of this.studies.keys()) if (!wanted.has(id)) this.studies.delete(id)
    return studies.filter(study => {
      const known = this.studies.get(study.id)
      const isSame = known && calculationKey('', known.study.params) === calculationKey('', study.params)
      const data = isSame ? { ...known, study } : loadingStudy(study, known?.rows)
      this.studies.set(study.id, data)
      if (isSame) this.#listener.onStudy(study.id)
      return !isSame
    })
  }

  /** Subscribes to the candles and to each different calculation once. */
  #follow(): void {
    const candles = { indicator: candleIndicator, params: {}, key: candleIndicator }
    // Without the catalogue, equal calculations are unknown.
    const studies = this.#catalogue ? [...this.studies.values()] : []
    const calculations = studies
      .filter(({ error }) => error === undefined)
      .map(({ study }) => ({ ...study, key: this.#keyOf(study) }))
    this.#options.follow(this.#plan.follow(this.#market as Market, [candles, ...calculations]))
  }

  #keyOf({ indicator, params }: Study): string {
    const description = this.#catalogue?.get(indicator)
    return calculationKey(indicator, description ? allParameters(description, params) : params)
  }

  async #load(signal: AbortSignal): Promise<void> {
    const market = this.#market as Market
    this.#buffer = []
    // In parallel; awaited after the candles.
    void this.#options.catalogue()
    const candles = await this.#loadCandles(market, { results: pageSize }, signal)
    if (!candles) return
    this.candles = [...candles]
    this.#listener.onCandles()
    this.#listener.onStatus(this.openStatus)
    if (candles.length === 0) return
    await this.#loadStudies(
      [...this.studies.values()].map(({ study }) => study),
      signal,
    )
    if (signal.aborted) return
    this.#listener.onStatus(this.openStatus)
    this.#release()
  }

  async #loadCandles(
    market: Market,
    window: Window,
    signal: AbortSignal,
    onRefused: (status: number, error: string) => void = (status, error) =>
      void this.#refuse(market, status, error, signal),
  ): Promise<readonly Candle[] | undefined> {
    const { loader } = this.#options
    const path = candlesPath(market, window)
    const loaded = await loader.load(market, options => loader.client.get(path, options), signal, onRefused)
    if (!loaded || signal.aborted) return undefined
    if (reachesNewest(window)) this.#age = loaded.age
    return loaded.body as readonly Candle[]
  }

  async #refuse(market: Market, status: number, error: string, signal: AbortSignal): Promise<void> {
    const { findNear } = this.#options
    if (status !== 404) return this.#listener.onStatus({ kind: 'refused', error })
    this.#listener.onStatus({ kind: 'unknown-market', error, near: [] })
    const near = await findNear(market)
    if (!signal.aborted && near.length > 0) this.#listener.onStatus({ kind: 'unknown-market', error, near })
  }

  /** Fetches the values of some studies for all shown candles. */
  async #loadStudies(studies: readonly Study[], signal: AbortSignal): Promise<void> {
    this.#catalogue ??= await this.#options.catalogue()
    if (signal.aborted || !this.#catalogue) return
    const sound = studies.filter(study => {
      const data = this.studies.get(study.id)
      if (data) data.description = this.#catalogue?.get(study.indicator)
      const fault = faultOfStudy(study, data?.description)
      if (fault !== undefined) this.#fail(study, fault)
      return fault === undefined
    })
    // With the catalogue, equal calculations are known.
    this.#follow()
    const results = Math.max(pageSize, this.candles.length)
    const isDone = await this.#fetchStudies(sound, { results }, signal, (data, rows) => {
      data.rows = [...rows]
    })
    if (isDone && this.#isBeyondMemory) await this.#fetchStored(sound, signal)
    if (isDone && !this.#buffer) this.#listener.onStatus(this.openStatus)
  }

  #fail(study: Study, error: string): void {
    const data = this.studies.get(study.id)
    if (!data || data.study.params !== study.params) return
    Object.assign(data, { error, rows: [], isLoading: false })
    this.#listener.onStudy(study.id)
    this.#follow()
  }

  /** Sends one bulk request; `put` receives the rows of each study. Returns whether it succeeded. */
  async #fetchStudies(
    studies: readonly Study[],
    window: Window | ((study: Study) => Window),
    signal: AbortSignal,
    put: (data: StudyData, rows: readonly StudyRow[]) => void,
  ): Promise<boolean> {
    if (studies.length === 0) return true
    const market = this.#market as Market
    const { loader } = this.#options
    const body = bulkBody(market, studies, window)
    const isNewest = typeof window === 'object' && reachesNewest(window)
    const failAll = (error: string) => {
      if (isNewest) for (const study of studies) this.#fail(study, error)
    }
    const loaded = await loader.load(
      market,
      options => loader.client.post('bulk', body, options),
      signal,
      (_, error) => failAll(error),
    )
    if (!loaded || signal.aborted) return false
    const entries = readBulk(loaded.body)
    if (typeof entries === 'string') {
      failAll(entries)
      return false
    }
    for (const study of studies) {
      const data = this.studies.get(study.id)
      const isWritten = study.indicator === expressionIndicator
      const description = isWritten ? conditionExpression : this.#catalogue?.get(study.indicator)
      // The person may have changed or removed the study while it was fetched.
      if (!data || !description || data.study.params !== study.params) continue
      const { result = null, errors = [], settled } = entries.get(study.id) ?? {}
      if (result !== null) {
        noteSettling(data, description, settled?.from, isNewest)
        put(data, readResult(description, result))
        data.description = isWritten
          ? describeExpression(data.rows, this.candles.at(-1)?.close ?? 0)
          : description
        data.rows = [...mergeRows(data.rows, data.early.splice(0))]
        Object.assign(data, { error: undefined, isLoading: false })
      } else if (isNewest) {
        this.#fail(study, errors[0] ?? 'The service could not compute it.')
      }
      this.#listener.onStudy(study.id)
    }
    return true
  }

  /** Processes an update of the service. */
  receive(update: Update): void {
    const market = this.#market
    if (!market || update.subscription !== liveKey(market)) return
    if (this.#buffer) {
      // The newest update of each candle would be enough, but a bounded list is simpler and short-lived.
      if (this.#buffer.length < maxCandles) this.#buffer.push(update)
      return
    }
    if (update.indicator !== candleIndicator) {
      this.#applyStudy(update)
      return
    }
    const last = this.candles.at(-1)?.timestamp ?? 0
    const { timestamp } = update.data
    const seconds = secondsOf(market.timeframe)
    // Within the last known candle, nothing but its own values can have been missed.
    const isMissing = this.#isBehind ? timestamp !== last : isGap(last, timestamp, seconds)
    this.#isBehind = false
    if (isMissing) void this.#catchUp(missedCandles(last, timestamp, seconds), update)
    else this.#applyCandle(update)
  }

  #applyCandle(update: Update): void {
    const candle = update.data as unknown as Candle
    const last = this.candles.at(-1)
    const how = putRow(this.candles, candle)
    // A subscription begins with the last known candle, which may be as old as the others.
    const isSame =
      last?.timestamp === candle.timestamp && last.close === candle.close && last.volume === candle.volume
    if (this.#age !== undefined && !isSame) {
      this.#age = undefined
      this.#listener.onStatus(this.openStatus)
    }
    if (this.candles.length > maxCandles + pageSize) this.#trim()
    else if (how === 'inserted') this.#listener.onCandles()
    else this.#listener.onCandle(candle)
  }

  #applyStudy({ indicator = '', params = {}, data }: Update): void {
    const key = calculationKey(indicator, params)
    for (const [id, known] of this.studies) {
      if (known.study.indicator !== indicator || this.#keyOf(known.study) !== key) continue
      const description = known.description ?? this.#catalogue?.get(indicator) ?? conditionExpression
      const row = readUpdate(description, data)
      if (known.isLoading) putRow(known.early, row)
      else if (putRow(known.rows, row) === 'inserted') this.#listener.onStudy(id)
      else this.#listener.onStudyRow(id, row)
    }
  }

  /** Drops the oldest candles, and the values that belong to them. */
  #trim(): void {
    const from = this.candles.length - maxCandles
    this.candles = this.candles.slice(from)
    const first = this.candles[0] as Candle
    for (const data of this.studies.values())
      data.rows = data.rows.filter(({ timestamp }) => timestamp >= first.timestamp)
    this.#hasAll = false
    this.#listener.onCandles()
  }

  /** Fetches the newest candles with their values and merges them into the loaded ones. */
  async #catchUp(count: number, update: Update): Promise<void> {
    const { signal } = this.#abort
    if (count > maxCandles) return this.reload()
    this.#buffer = [update]
    const candles = await this.#loadCandles(this.#market as Market, { results: count }, signal)
    if (!candles) return
    this.candles = [...mergeRows(this.candles, candles)]
    await this.#fetchStudies(this.#soundStudies, { results: count }, signal, (data, rows) => {
      data.rows = [...mergeRows(data.rows, rows)]
    })
    if (signal.aborted) return
    this.#listener.onCandles()
    this.#listener.onStatus(this.openStatus)
    this.#release()
  }

  /** The studies that the service accepts: a refused one would spoil the request of the others. */
  get #soundStudies(): readonly Study[] {
    return [...this.studies.values()].filter(({ error }) => error === undefined).map(({ study }) => study)
  }

  /** Applies the buffered updates. */
  #release(): void {
    const updates = this.#buffer ?? []
    this.#buffer = undefined
    for (const update of updates) this.receive(update)
  }

  /** Must be called when the oldest candles come into view: fetches older candles, if the service has any. */
  async loadOlder(): Promise<void> {
    const oldest = this.candles[0]
    if (!oldest || this.#isLoadingOlder || this.#hasAll || this.#buffer) return
    if (this.candles.length + pageSize > maxCandles) {
      this.#listener.onBeginning(`The page holds ${maxCandles} candles at most.`)
      return
    }
    const { signal } = this.#abort
    this.#isLoadingOlder = true
    await this.#fetchOlder(oldest, signal)
    if (signal.aborted) return
    this.#isLoadingOlder = false
    this.#listener.onStatus(this.openStatus)
  }

  async #fetchOlder(oldest: Candle, signal: AbortSignal): Promise<void> {
    const market = this.#market as Market
    const isOlder = ({ timestamp }: Candle) => timestamp < oldest.timestamp
    // One candle twice, in case that a new one has just begun.
    const window: Window = { results: pageSize + 1, backtrack: this.candles.length - 1 }
    let older: readonly Candle[] | undefined = []
    if (!this.#isBeyondMemory) older = (await this.#loadCandles(market, window, signal))?.filter(isOlder)
    if (!older || signal.aborted) return
    let reason = 'The service has no older candles.'
    if (older.length === 0) {
      this.#isBeyondMemory = true
      const seconds = secondsOf(market.timeframe)
      const range = {
        from: Math.max(0, oldest.timestamp - pageSize * seconds),
        to: oldest.timestamp - seconds,
      }
      const refused = (_: number, error: string) => {
        reason = error
      }
      older = (await this.#loadCandles(market, range, signal, refused))?.filter(isOlder) ?? []
    }
    if (signal.aborted) return
    this.#hasAll = older.length === 0
    if (this.#hasAll) return this.#listener.onBeginning(reason)
    this.candles = [...mergeRows(older, this.candles)]
    this.#listener.onCandles()
    if (this.#isBeyondMemory) return this.#fetchStored(this.#soundStudies, signal)
    await this.#fetchStudies(this.#soundStudies, window, signal, (data, rows) => {
      data.rows = [...mergeRows(rows, data.rows)]
    })
  }

  /**
   * Fetches values of the stored history, from the first candle to the time from which values from the service's memory have
   * settled.
   */
  async #fetchStored(studies: readonly Study[], signal: AbortSignal): Promise<void> {
    const from = this.candles[0]?.timestamp ?? 0
    const closed = this.candles.at(-2)?.timestamp ?? from
    const windowOf = ({ id }: Study): Window => {
      const { rows = [], settledFrom = closed } = this.studies.get(id) ?? {}
      return { from, to: Math.min(closed, Math.max(settledFrom, completeFrom(rows) ?? closed)) }
    }
    await this.#fetchStudies(studies, windowOf, signal, (data, rows) => {
      if (!data.description || areOneHistory(data.description, data.rows, rows))
        data.rows = [...mergeRows(data.rows, rows)]
    })
  }

  /** Called when a subscription was refused: its values are right, but not live. */
  refuseSubscription(id: string, error: string): void {
    const key = this.#plan.keyOf(id)
    if (key === undefined) return
    for (const data of this.studies.values()) {
      if (this.#keyOf(data.study) !== key) continue
      data.notLive = error
      this.#listener.onStudy(data.study.id)
    }
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../bench/random.js'
import { isSame } from '../../src/candles/candle.js'
import { closedAt, type Snapshot } from '../../src/candles/columns.js'
import { catalogue } from '../../src/catalogue/index.js'
import { formatAt, formatsOf } from '../../src/compute/json/text-column.js'
import { Calculator } from '../../src/compute/kernels/calculator.js'
import type { Calculation } from '../../src/compute/kernels/shape.js'
import { ResultCache } from '../../src/compute/results/result-cache.js'
import type { IndicatorSpec } from '../../src/contract/query.js'
import { isRefusal } from '../../src/contract/refusals.js'
import { Hub } from '../../src/live/hub.js'
import type { Topic } from '../../src/live/topic.js'
import { Archive } from '../../src/markets/archive/archive.js'
import { FeedRegistry } from '../../src/markets/feeds/feed-registry.js'
import { History } from '../../src/markets/history/history.js'
import { openEmbedded } from '../../src/store/embedded/embedded.js'
import { settings } from '../support/laws/settings.js'
import { questionOf } from '../support/questions.js'
import { SoakMarket, states } from './market.js'

export interface SoakOptions {
  readonly seed: number
  /** Markets, each with one indicator and its parameters drawn from the seed. */
  readonly series: number
  /** Number of candles of each market that close during the run. */
  readonly candles: number
  /** Called a few times while it runs, with the share that is done. */
  readonly onProgress?: (share: number) => void
}

export interface SoakReport {
  /** Published values that differ from a new computation over the same candles, at most twenty. */
  readonly faults: readonly string[]
  /** Values of closed candles and of forming ones that were compared. */
  readonly closed: number
  readonly forming: number
  /** Indicators that were followed. */
  readonly indicators: number
  /** Streams that were cut, candles that were corrected, repeated and left out. */
  readonly drops: number
  readonly corrections: number
  readonly repeats: number
  readonly holes: number
  /** Archived candles that were compared with the exchange's after the end. */
  readonly archived: number
}

/** Candles that the service keeps of each market. */
const depth = 300
/** Candles that a market may be behind the clock before the clock waits. */
const maxBehind = 40
const maxFaults = 20
/** A Wednesday in 2023. */
const begin = 1_700_006_400

/** Probability of each fault of the exchange, per minute of a market. */
const chances = { drop: 1 / 2_000, correction: 1 / 2_000, repeat: 1 / 200, hole: 1 / 1_000 } as const

/** One followed market and the values published for it. */
interface Followed {
  readonly symbol: string
  readonly topic: Topic
  /** The open time of the newest candle that was published as closed. */
  newest: number
}

/** The indicator and the parameters of every market: each indicator once before any comes again. */
function drawSpecs(count: number, random: () => number): readonly IndicatorSpec[] {
  const names = [...catalogue.keys()]
  for (let i = names.length - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1))
    ;[names[i], names[k]] = [names[k] as string, names[i] as string]
  }
  return Array.from({ length: count }, (_, i) => {
    const indicator = catalogue.get(names[i % names.length] as string) as NonNullable<
      ReturnType<typeof catalogue.get>
    >
    const possible = settings(indicator).filter(({ values }) => indicator.warmup(values) < depth / 2)
    const { values } = possible[Math.floor(random() * possible.length)] as (typeof possible)[number]
    return { indicator, params: values }
  })
}

/** The text of the values of candle `i`, computed again over the whole snapshot. */
function recompute(
  calculator: Calculator,
  calculation: Calculation,
  snapshot: Snapshot,
): (i: number) => string {
  const { columns } = calculator.calculate(calculation, [snapshot])
  const { indicator } = calculation
  const isSingle = indicator.outputs.length === 1
  return i =>
    formatsOf(indicator)
      .map(format => {
        const text = formatAt(format, column => columns[column]?.[i] as number)
        return `"${isSingle ? indicator.name : format.output.name}":${text}`
      })
      .join(',')
}

/** Follows many markets on a clock that runs as fast as the machine can, and compares everything that is published. */
class Soak {
  readonly #options: SoakOptions
  readonly #random: () => number
  readonly #market: SoakMarket
  readonly #directory = mkdtempSync(join(tmpdir(), 'candela-soak-'))
  readonly #store = openEmbedded(this.#directory)
  readonly #history: History
  readonly #feeds: FeedRegistry
  readonly #hub: Hub
  readonly #calculator = new Calculator()
  readonly #followed: Followed[] = []
  readonly #byChannel = new Map<string, Followed>()
  readonly #counts = { closed: 0, forming: 0, drops: 0, corrections: 0, repeats: 0, holes: 0 }
  readonly #faults: string[] = []
  /** Values of the last new computation. The updates of one snapshot share them. */
  #computed:
    | { readonly topic: Topic; readonly snapshot: Snapshot; readonly text: (i: number) => string }
    | undefined
  /** Markets of which the stream emits nothing in this minute. */
  readonly #silent = new Set<string>()
  /** Minutes of each market that the exchange has corrected. */
  readonly #corrected = new Map<string, readonly number[]>()
  #now = begin

  constructor(options: SoakOptions) {
    this.#options = options
    this.#random = createRandom(options.seed)
    const clock = () => this.#now
    this.#market = new SoakMarket(options.seed, options.series, clock)
    const archive = new Archive(this.#store.keyValues, { depth, journal: this.#store.journal, clock })
    const onFailure = (error: unknown) => this.#fault(`a failure: ${(error as Error).stack}`)
    this.#history = new History({ depth, bytes: 1e9, refreshSeconds: 5, clock, archive, onFailure })
    this.#feeds = new FeedRegistry({
      history: this.#history,
      clock,
      formingPerSecond: 50,
      pollSeconds: 5,
      lingerSeconds: 0,
      backoffMs: 1,
    })
    const exchange = { id: 'soak', source: this.#market }
    this.#hub = new Hub({
      feeds: this.#feeds,
      calculator: new Calculator(),
      resultCache: new ResultCache(64 * 2 ** 20),
      exchanges: { ids: () => ['soak'], find: () => exchange },
      onBug: error => this.#fault(`an exception: ${(error as Error).stack}`),
    })
    this.#hub.publishTo((channel, text) => this.#check(channel, text))
  }

  async run(): Promise<SoakReport> {
    const { series, candles, onProgress } = this.#options
    const specs = drawSpecs(series, this.#random)
    for (const [i, spec] of specs.entries()) await this.#follow(`S${i}`, spec)
    for (let i = 0; i < candles; i++) {
      this.#passMinute()
      await new Promise(resolve => setImmediate(resolve))
      await this.#wait(maxBehind)
      if (i % Math.ceil(candles / 20) === 0) onProgress?.(i / candles)
    }
    await this.#settle()
    await this.#feeds.close()
    const archived = await this.#checkArchive()
    const indicators = new Set(specs.map(({ indicator }) => indicator.name)).size
    return { ...this.#counts, faults: this.#faults, indicators, archived }
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true })
  }

  #fault(text: string): void {
    if (this.#faults.length < maxFaults) this.#faults.push(text)
  }

  async #follow(symbol: string, spec: IndicatorSpec): Promise<void> {
    const topic = await this.#hub.acquire(questionOf({ exchange: 'soak', symbol, timeframe: '1m' }, spec), {
      accountId: '',
    })
    if (isRefusal(topic)) throw new Error(`${symbol} cannot be followed: ${topic.error}`)
    const newest = topic.group.computed[0].columns.timestamp[topic.group.computed[0].closed - 1] as number
    const followed = { symbol, topic, newest }
    this.#followed.push(followed)
    this.#byChannel.set(topic.join('a', false), followed)
  }

  /** Lets the clock pass to the open of the next minute. The exchange emits its candles during that time. */
  #passMinute(): void {
    const minute = this.#now / 60
    const partial = 1 + Math.floor(this.#random() * (states - 1))
    this.#now += 30
    for (const { symbol } of this.#followed)
      if (!this.#silent.has(symbol)) this.#market.emit(symbol, this.#market.candleAt(symbol, minute, partial))
    this.#now += 30
    for (const { symbol } of this.#followed) this.#endMinute(symbol, minute)
  }

  #endMinute(symbol: string, minute: number): void {
    const market = this.#market
    const draw = this.#random()
    const isAt = (from: number, chance: number) => draw >= from && draw < from + chance
    if (isAt(0, chances.drop)) {
      this.#counts.drops++
      market.drop(symbol)
      return
    }
    if (this.#silent.delete(symbol)) return
    if (isAt(0.1, chances.correction)) {
      this.#counts.corrections++
      this.#corrected.set(symbol, [...(this.#corrected.get(symbol) ?? []), minute - 2])
      market.emit(symbol, market.correct(symbol, minute - 2))
    }
    if (isAt(0.2, chances.repeat)) {
      this.#counts.repeats++
      market.emit(symbol, market.candleAt(symbol, minute - 1), market.candleAt(symbol, minute, 1))
    }
    if (isAt(0.3, chances.hole)) {
      this.#counts.holes++
      this.#silent.add(symbol)
      market.emit(symbol, market.candleAt(symbol, minute))
      return
    }
    market.emit(symbol, market.candleAt(symbol, minute), market.candleAt(symbol, minute + 1, 1))
  }

  /** Waits until no market is more than `candles` candles behind the clock. */
  async #wait(candles: number): Promise<void> {
    const oldest = this.#now - 60 * (candles + 1)
    while (this.#followed.some(({ newest }) => newest < oldest) && this.#faults.length < maxFaults)
      await sleep(5)
  }

  /** Waits until every market has its last candle and shows the corrections as the exchange does. */
  async #settle(): Promise<void> {
    const end = this.#now
    const isCurrent = ({ symbol, newest, topic }: Followed) =>
      newest === end - 60 &&
      (this.#corrected.get(symbol) ?? []).every(minute => {
        const candle = closedAt(topic.group.latest[0], minute * 60)
        return candle === undefined || isSame(candle, this.#market.candleAt(symbol, minute))
      })
    while (!this.#followed.every(isCurrent) && this.#faults.length < maxFaults) {
      // The seconds in which an exchange's history is fetched that decides.
      if (this.#now < end + 50) this.#now += 1
      await sleep(50)
    }
  }

  /** Compares one update with the values that a new computation over the same candles yields. */
  #check(channel: string, text: string): void {
    const followed = this.#byChannel.get(channel)
    // Every closed candle is also published to subscribers that want closed candles only.
    if (followed === undefined) return
    const { topic, symbol } = followed
    const [snapshot] = topic.group.computed
    if (this.#computed?.topic !== topic || this.#computed.snapshot !== snapshot)
      this.#computed = { topic, snapshot, text: recompute(this.#calculator, topic.spec, snapshot) }
    const { closed, data } = JSON.parse(text) as {
      readonly closed: boolean
      readonly data: { timestamp: number }
    }
    const { timestamp } = data
    const name = `${symbol} ${topic.spec.indicator.name} ${JSON.stringify(topic.spec.params)} at ${timestamp}`
    if (closed) {
      if (timestamp !== followed.newest + 60) this.#fault(`${name} follows ${followed.newest}`)
      followed.newest = timestamp
    }
    const { columns, closed: count } = snapshot
    const times = columns.timestamp
    const i = closed ? (timestamp - (times[0] as number)) / 60 : count
    if ((closed ? times[i] : snapshot.forming?.timestamp) !== timestamp)
      this.#fault(`${name} is not among the candles that it is of`)
    const expected = `"data":{${this.#computed.text(i)},"timestamp":${timestamp}}}`
    if (!text.endsWith(expected)) this.#fault(`${name} is published as ${text}, computed as ${expected}`)
    this.#counts[closed ? 'closed' : 'forming']++
  }

  /** Compares the reopened archive with the exchange, and returns the number of compared candles. */
  async #checkArchive(): Promise<number> {
    await this.#store.close()
    const store = openEmbedded(this.#directory)
    const archive = new Archive(store.keyValues, {
      depth,
      journal: store.journal,
      onCorrupt: (...what) => this.#fault(`the archive is damaged: ${what.join(' ')}`),
    })
    archive.recover()
    let compared = 0
    for (const { symbol, newest } of this.#followed) {
      const found = archive.read(`soak:${symbol}:1m`)
      const { columns, closed } = found ?? { columns: undefined, closed: 0 }
      if (columns?.timestamp[closed - 1] !== newest) this.#fault(`${symbol} is archived to another candle`)
      for (let i = 0; i < closed && columns; i++) {
        const candle = columns.read(i)
        const truth = this.#market.candleAt(symbol, candle.timestamp / 60)
        if (JSON.stringify(candle) !== JSON.stringify(truth))
          this.#fault(`${symbol} is archived as ${JSON.stringify(candle)}, is ${JSON.stringify(truth)}`)
        compared++
      }
    }
    await store.close()
    return compared
  }
}

/** Runs a soak; the same options draw the same markets, indicators and faults of the exchange. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const run = new Soak(options)
  try {
    return await run.run()
  } finally {
    run.close()
  }
}

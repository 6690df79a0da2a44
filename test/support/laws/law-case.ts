import { type Input, type Output, columnCount as outputColumns } from '../../../src/catalogue/define.js'
import type { Entry } from '../../../src/catalogue/index.js'
import { type FillPattern, GuardedMemory, type Kernel, type KernelMemory } from './guarded-memory.js'
import { type Columns, type Market, markets, patternMarkets } from './market.js'
import { fewCandles, numbers, type Setting, settings } from './settings.js'

/** A kernel with its entry and its memory. */
export interface Subject {
  readonly entry: Entry
  readonly kernel: Kernel
  readonly place: KernelMemory
}

/** Results of a kernel: one column per output, and its state after the last call. */
export interface Run {
  readonly outputs: readonly Float64Array[]
  readonly state: Float64Array
}

/** A kernel violates a law. */
export class Violation extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Violation'
  }
}

interface Calls {
  /** Candles at which the history is cut into calls, ascending; none means one call. */
  readonly cuts?: readonly number[]
  /** Candles to use instead of the market's. */
  readonly columns?: readonly Float64Array[]
  /** The candle to stop before. */
  readonly to?: number
  /** Fill of the memory that the kernel must not read. */
  readonly pattern?: FillPattern
  /** Whether each call sees only the candles that it may read, from − lookback … to − 1. */
  readonly hidesUnreadable?: boolean
  /** Runs before each call. */
  readonly before?: (guarded: GuardedMemory, from: number) => void
}

const sameBits = (a: Float64Array, b: Float64Array, from: number, to: number) =>
  Buffer.from(a.buffer, a.byteOffset + from * 8, (to - from) * 8).equals(
    Buffer.from(b.buffer, b.byteOffset + from * 8, (to - from) * 8),
  )

/**
 * The first index in [from, to) at which the bits differ, or −1. All NaN are equal, because the engine chooses their
 * payload.
 */
export function difference(a: Float64Array, b: Float64Array, from = 0, to = a.length): number {
  if (from >= to || sameBits(a, b, from, to)) return -1
  for (let i = from; i < to; i++) if (!Object.is(a[i], b[i])) return i
  return -1
}

/** One entry with one choice of parameters over one market. */
export class LawCase {
  readonly entry: Entry
  readonly length: number
  readonly lookback: number
  readonly market: Market
  readonly values: Setting['values']
  /** The input columns of the kernel. */
  readonly columns: readonly Float64Array[]
  /** The output of each column of the kernel. */
  readonly printed: readonly Output[]
  readonly #subject: Subject
  readonly #stateLength: number
  #guarded: GuardedMemory | undefined
  #whole: Run | undefined

  constructor(subject: Subject, setting: Setting, market: Market) {
    this.entry = subject.entry
    this.length = setting.length
    this.lookback = setting.lookback
    this.values = setting.values
    this.market = market
    this.columns = this.inputs(columnCount(market, setting.length))
    this.printed = this.entry.outputs.flatMap(output => Array(outputColumns(output)).fill(output))
    this.#subject = subject
    this.#stateLength = this.entry.state(this.values)
  }

  /** The result of one call over the whole history. */
  get whole(): Run {
    this.#whole ??= this.run()
    return this.#whole
  }

  /** The columns of `market` that the entry reads, in its order. */
  inputs(market: Columns): readonly Float64Array[] {
    return this.entry.inputs.map((input: Input) => market[input])
  }

  /** Candles before the first value of a column. */
  lookbackOf(column: number): number {
    return this.printed[column]?.lookback?.(this.values) ?? this.lookback
  }

  /** Calls the kernel over the history; throws a Violation if a call leaves its range or traps. */
  run(calls: Calls = {}): Run {
    const {
      cuts = [],
      columns = this.columns,
      to = this.length,
      pattern,
      hidesUnreadable = false,
      before,
    } = calls
    const guarded = this.#memory(pattern)
    const run = this.#blank()
    this.#check(() => {
      if (!hidesUnreadable) guarded.show(columns, 0, this.length)
      let from = 0
      for (const end of [...cuts.filter(cut => cut > 0 && cut < to), to]) {
        before?.(guarded, from)
        if (hidesUnreadable) guarded.show(columns, Math.max(0, from - this.lookback), end)
        guarded.call(from, end, run.outputs)
        from = end
      }
      guarded.expectIntact()
    })
    run.state.set(guarded.state)
    return run
  }

  /** Memory laid out for this case. Only one exists at a time: a new one overwrites the last. */
  #memory(pattern?: FillPattern): GuardedMemory {
    if (!this.#guarded || this.#guarded.isLost) {
      const { entry, kernel, place } = this.#subject
      this.#guarded = new GuardedMemory(place, kernel, {
        length: this.length,
        lookback: this.lookback,
        inputs: entry.inputs.length,
        outputs: this.printed.map(output => output.name),
        scratch: entry.scratch,
        state: this.#stateLength,
        numbers: numbers(entry, this.values),
      })
    }
    this.#guarded.reset(pattern)
    return this.#guarded
  }

  #check(action: () => void): void {
    try {
      action()
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause)
      throw new Violation(`${this}: ${message}`, { cause })
    }
  }

  /** Throws if `run` and `expected` differ in the candles [from, to), or in the state if `withState`. */
  expectSame(
    run: Run,
    expected: Run,
    circumstance: string,
    from = 0,
    to = this.length,
    withState = false,
  ): void {
    run.outputs.forEach((output, k) => {
      const wanted = expected.outputs[k] as Float64Array
      const i = difference(output, wanted, from, to)
      if (i >= 0) this.fail(k, i, `${output[i]}, not ${wanted[i]}, ${circumstance}`)
    })
    const i = withState ? difference(run.state, expected.state) : -1
    if (i >= 0) {
      throw new Violation(
        `${this}: state[${i}] ends as ${run.state[i]}, not ${expected.state[i]}, ${circumstance}`,
      )
    }
  }

  /** Throws if a number of the state still holds the fill from before the first call. */
  expectWholeState({ state }: Run, pattern: FillPattern): void {
    const i = new BigUint64Array(state.buffer, state.byteOffset, state.length).indexOf(pattern)
    if (i >= 0) throw new Violation(`${this}: state[${i}] is declared by the entry and never written`)
  }

  /** Throws a Violation about one value of output `k`. */
  fail(k: number, i: number, text: string): never {
    throw new Violation(`${this}: ${this.printed[k]?.name}[${i}] is ${text}`)
  }

  toString(): string {
    return `${this.entry.name} ${JSON.stringify(this.values)} on ${this.market.name} of ${this.length} candles`
  }

  /** A run without values, in one buffer because thousands of them are made. */
  #blank(): Run {
    const numbers = new Float64Array(this.printed.length * this.length + this.#stateLength)
    const outputs = this.printed.map((_, k) => numbers.subarray(k * this.length, (k + 1) * this.length))
    return { outputs, state: numbers.subarray(numbers.length - this.#stateLength) }
  }
}

const columnsByKey = new Map<string, Columns>()
const columnCount = (market: Market, length: number): Columns => {
  const key = `${market.name} ${length}`
  const columns = columnsByKey.get(key) ?? market.columns(length)
  columnsByKey.set(key, columns)
  return columns
}

/** Number of events of the sparse outputs and the signals: signals that change, levels that exist. */
function events({ outputs }: Run, entry: Entry): number {
  let count = 0
  const printed = entry.outputs.flatMap(output => Array<Output>(outputColumns(output)).fill(output))
  outputs.forEach((output, k) => {
    const described = printed[k]
    if (described?.sparse) count += output.filter(Number.isFinite).length
    else if (described?.kind !== 'number')
      count += output.filter((value, i) => i > 0 && value !== output[i - 1] && value !== 0).length
  })
  return count
}

/** Markets of few cases. An arc sine has values on the tiny one only. */
const fewMarkets: readonly Market[] = [
  markets.walk,
  markets.gapped,
  markets.tiny,
  patternMarkets[3] as Market,
]

/**
 * The cases of one subject, each made once: every choice of parameters on every market, or, if they are few, the default
 * parameters over few candles of four markets.
 */
export class LawCases {
  readonly subject: Subject
  readonly settings: readonly Setting[]
  readonly #made = new Map<string, LawCase>()
  #markets: readonly Market[] | undefined

  constructor(
    subject: Subject,
    readonly isFew = false,
  ) {
    this.subject = subject
    this.settings = isFew ? [fewCandles(subject.entry)] : settings(subject.entry)
    if (isFew) this.#markets = fewMarkets
  }

  /**
   * All markets; for an entry with sparse outputs or signals also the pattern market with the most events, because a law
   * that was only checked on zeros proves little.
   */
  get markets(): readonly Market[] {
    this.#markets ??= [...Object.values(markets), ...this.#mostEventful()]
    return this.#markets
  }

  on(setting: Setting, market: Market): LawCase {
    const key = `${market.name} ${JSON.stringify(setting.values)}`
    const lawCase = this.#made.get(key) ?? new LawCase(this.subject, setting, market)
    this.#made.set(key, lawCase)
    return lawCase
  }

  /** Every choice of parameters on the markets that `isWanted` picks. */
  *each(isWanted: (market: Market) => boolean = () => true): Generator<LawCase> {
    for (const setting of this.settings) {
      for (const market of this.markets.filter(isWanted)) yield this.on(setting, market)
    }
  }

  /** The events of the sparse outputs and signals, in the market that has the most and with all parameters. */
  get events(): number {
    return [...this.each(market => market.kind === 'patterned')].reduce(
      (count, lawCase) => count + events(lawCase.whole, this.subject.entry),
      0,
    )
  }

  /** Whether there is a sparse output, a signal, a flag or a label. */
  get hasEvents(): boolean {
    return this.subject.entry.outputs.some(output => output.sparse || output.kind !== 'number')
  }

  #mostEventful(): readonly Market[] {
    const [standard] = this.settings
    if (!this.hasEvents || !standard) return []
    const counted = patternMarkets.map(market => ({
      market,
      count: events(new LawCase(this.subject, standard, market).whole, this.subject.entry),
    }))
    return [counted.reduce((best, other) => (other.count > best.count ? other : best)).market]
  }
}

import type { Input } from '../../../src/catalogue/define.js'
import type { Entry } from '../../../src/catalogue/index.js'
import { type Columns, livelyMarkets, type Market, markets } from './market.js'
import { Arena, type Background, type Kernel, type Place } from './sandbox.js'
import { numbers, type Setting, settings } from './settings.js'

/** A kernel with the entry that describes it, in the memory it works in. */
export interface Subject {
  readonly entry: Entry
  readonly kernel: Kernel
  readonly place: Place
}

/** What a kernel wrote: one column per output, and its state after the last call. */
export interface Run {
  readonly outputs: readonly Float64Array[]
  readonly state: Float64Array
}

/** A kernel broke a law. */
export class Violation extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Violation'
  }
}

interface Calls {
  /** Where the history is cut into calls, ascending; none means one call. */
  readonly cuts?: readonly number[]
  /** Other candles than the market's. */
  readonly columns?: readonly Float64Array[]
  /** The candle to stop before. */
  readonly to?: number
  /** What stands where the kernel must not look. */
  readonly background?: Background
  /** Whether everything outside a call's reach is hidden from it: candles before from − lookback and from `to` on. */
  readonly isVeiled?: boolean
  /** Runs before each call. */
  readonly before?: (arena: Arena, from: number) => void
}

const sameBits = (a: Float64Array, b: Float64Array, from: number, to: number) =>
  Buffer.from(a.buffer, a.byteOffset + from * 8, (to - from) * 8).equals(
    Buffer.from(b.buffer, b.byteOffset + from * 8, (to - from) * 8),
  )

/** The first index in [from, to) at which the bits differ, or −1. All NaN are one: their payload is the engine's. */
export function difference(a: Float64Array, b: Float64Array, from = 0, to = a.length): number {
  if (from >= to || sameBits(a, b, from, to)) return -1
  for (let i = from; i < to; i++) if (!Object.is(a[i], b[i])) return i
  return -1
}

/** One entry with one choice of parameters over one market. */
export class Trial {
  readonly entry: Entry
  readonly length: number
  readonly lookback: number
  readonly market: Market
  readonly values: Setting['values']
  /** The columns that the kernel is given. */
  readonly columns: readonly Float64Array[]
  readonly #subject: Subject
  #whole: Run | undefined

  constructor(subject: Subject, setting: Setting, market: Market) {
    this.entry = subject.entry
    this.length = setting.length
    this.lookback = setting.lookback
    this.values = setting.values
    this.market = market
    this.columns = this.inputs(columnsOf(market, setting.length))
    this.#subject = subject
  }

  /** One undisturbed call over the whole history. */
  get whole(): Run {
    this.#whole ??= this.run()
    return this.#whole
  }

  /** The columns of `market` that the entry reads, in its order. */
  inputs(market: Columns): readonly Float64Array[] {
    return this.entry.inputs.map((input: Input) => market[input])
  }

  /** Calls the kernel over the history as told; throws a Violation where a call breaks its range or traps. */
  run(calls: Calls = {}): Run {
    const {
      cuts = [],
      columns = this.columns,
      to = this.length,
      background,
      isVeiled = false,
      before,
    } = calls
    const arena = this.arena(background)
    const run = this.#blank()
    if (!isVeiled) arena.show(columns, 0, this.length)
    let from = 0
    for (const end of [...cuts.filter(cut => cut > 0 && cut < to), to]) {
      before?.(arena, from)
      if (isVeiled) arena.show(columns, Math.max(0, from - this.lookback), end)
      this.call(arena, from, end, run.outputs)
      from = end
    }
    run.state.set(arena.state)
    return run
  }

  /** Memory laid out for this trial. There is one at a time: a new one overwrites the last. */
  arena(background?: Background): Arena {
    const { entry, kernel, place } = this.#subject
    const shape = {
      length: this.length,
      lookback: this.lookback,
      inputs: entry.inputs.length,
      outputs: entry.outputs.map(output => output.name),
      scratch: entry.scratch,
      state: entry.state(this.values),
      numbers: numbers(entry, this.values),
    }
    return new Arena(place, kernel, shape, background)
  }

  /** One call in an arena of this trial. */
  call(arena: Arena, from: number, to: number, into: readonly Float64Array[]): void {
    try {
      arena.call(from, to, into)
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause)
      throw new Violation(`${this}: ${message}`, { cause })
    }
  }

  /** Throws where `run` and `expected` differ in the candles [from, to), or in the state when `withState`. */
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
      if (i >= 0) this.refuse(k, i, `${output[i]}, not ${wanted[i]}, ${circumstance}`)
    })
    const i = withState ? difference(run.state, expected.state) : -1
    if (i >= 0) {
      throw new Violation(
        `${this}: state[${i}] ends as ${run.state[i]}, not ${expected.state[i]}, ${circumstance}`,
      )
    }
  }

  /** Throws a Violation about one value of output `k`. */
  refuse(k: number, i: number, text: string): never {
    throw new Violation(`${this}: ${this.entry.outputs[k]?.name}[${i}] is ${text}`)
  }

  toString(): string {
    return `${this.entry.name} ${JSON.stringify(this.values)} on ${this.market.name} of ${this.length} candles`
  }

  #blank(): Run {
    return {
      outputs: this.entry.outputs.map(() => new Float64Array(this.length)),
      state: new Float64Array(this.entry.state(this.values)),
    }
  }
}

const drawn = new Map<string, Columns>()
const columnsOf = (market: Market, length: number): Columns => {
  const key = `${market.name} ${length}`
  const columns = drawn.get(key) ?? market.columns(length)
  drawn.set(key, columns)
  return columns
}

/** How much happens in the outputs that speak only now and then: signals that change, levels that are there. */
function events({ outputs }: Run, entry: Entry): number {
  let count = 0
  outputs.forEach((output, k) => {
    const described = entry.outputs[k]
    if (described?.sparse) count += output.filter(Number.isFinite).length
    else if (described?.kind !== 'number')
      count += output.filter((value, i) => i > 0 && value !== output[i - 1] && value !== 0).length
  })
  return count
}

/** The trials of one subject: every choice of parameters on every market, each made once. */
export class Trials {
  readonly subject: Subject
  readonly settings: readonly Setting[]
  readonly #made = new Map<string, Trial>()
  #markets: readonly Market[] | undefined

  constructor(subject: Subject) {
    this.subject = subject
    this.settings = settings(subject.entry)
  }

  /**
   * All markets; for an entry that speaks only now and then also the one in which it has the most to say, because
   * a law that was only ever held to zeros says little.
   */
  get markets(): readonly Market[] {
    this.#markets ??= [...Object.values(markets), ...this.#liveliest()]
    return this.#markets
  }

  on(setting: Setting, market: Market): Trial {
    const key = `${market.name} ${JSON.stringify(setting.values)}`
    const trial = this.#made.get(key) ?? new Trial(this.subject, setting, market)
    this.#made.set(key, trial)
    return trial
  }

  /** Every choice of parameters on the markets that `isWanted` picks. */
  *each(isWanted: (market: Market) => boolean = () => true): Generator<Trial> {
    for (const setting of this.settings) {
      for (const market of this.markets.filter(isWanted)) yield this.on(setting, market)
    }
  }

  /** How much happens in the outputs that speak only now and then, in the liveliest market and with any parameters. */
  get events(): number {
    return [...this.each(market => market.kind === 'lively')].reduce(
      (count, trial) => count + events(trial.whole, this.subject.entry),
      0,
    )
  }

  /** Whether there is an output that speaks only now and then. */
  get isRare(): boolean {
    return this.subject.entry.outputs.some(output => output.sparse || output.kind !== 'number')
  }

  #liveliest(): readonly Market[] {
    const [standard] = this.settings
    if (!this.isRare || !standard) return []
    const counted = livelyMarkets.map(market => ({
      market,
      count: events(new Trial(this.subject, standard, market).whole, this.subject.entry),
    }))
    return [counted.reduce((best, other) => (other.count > best.count ? other : best)).market]
  }
}

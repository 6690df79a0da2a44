import type { About, Scale } from './about.js'
import { namedAverages } from './average-names.js'
import type { Memory } from './fading.js'
import type { EntryShape } from './shape.js'

/** The five columns of a candle that a calculation can be fed with. */
export const prices = ['open', 'high', 'low', 'close', 'volume'] as const
export type Price = (typeof prices)[number]

/** What a kernel reads: a price column, or the candle's open time in Unix seconds. */
export type Input = Price | 'timestamp'

/** What a caller may choose as `source`: a price column or a mean of several. */
export const sources = [...prices, 'hl2', 'hlc3', 'ohlc4'] as const
export type SourceName = (typeof sources)[number]

/** The kinds of moving averages that TA-Lib has, in the order of its numbers. */
export const talibAverages = ['sma', 'ema', 'wma', 'dema', 'tema', 'trima', 'kama', 'mama', 't3'] as const
/** All kinds of moving averages, in the order of the numbers that kernels know them by. */
export const averageNames = [...talibAverages, ...namedAverages] as const
export type AverageName = (typeof averageNames)[number]
/** A kind of moving average, by the number of TA-Lib (0 to 8) or by its name. */
export type AverageType = number | AverageName

interface Described<Kind extends string, Value> {
  readonly kind: Kind
  readonly default: Value
  /** Another parameter of the entry whose value is the default when that one was given. */
  readonly follows?: string
  /** A parameter that takes this one's value where this one is given, and given as what it would be anyway, but that is not. */
  readonly passesTo?: string
}
export interface IntegerParam extends Described<'integer', number> {
  readonly min: number
  readonly max: number
  /** What the numbers mean, where each of them is the number of a method. */
  readonly meaning?: string
}
export interface NumberParam extends Described<'number', number> {
  readonly min: number
  readonly max: number
}
export interface ChoiceParam<Name extends string = string> extends Described<'choice', Name> {
  readonly of: readonly Name[]
}
export interface AverageParam extends Described<'average', AverageType> {
  readonly min: 0
  readonly max: 8
  readonly meaning: string
  readonly of: readonly AverageName[]
}
export interface FlagParam extends Described<'flag', boolean> {}
export type Param = IntegerParam | NumberParam | ChoiceParam | AverageParam | FlagParam
export type Params = Readonly<Record<string, Param>>

/** The value that a parameter takes once it was checked. */
export type Value<P extends Param> = P extends ChoiceParam<infer Name> ? Name : P['default']
export type Values<P extends Params = Params> = { readonly [K in keyof P]: Value<P[K]> }

/**
 * The longest window, unless an entry has a smaller one: as many candles as may be supplied, and two of them in a row
 * fit into the 1,000 candles of a history by default. With all parameters at their maximum each entry has a value there.
 */
const maxPeriod = 500

/** A window in candles. */
export const period = (value: number, min = 2, max = maxPeriod): IntegerParam => ({
  kind: 'integer',
  default: value,
  min,
  max,
})
/** A whole number that is not a window. */
export const integer = (value: number, min: number, max: number): IntegerParam => ({
  kind: 'integer',
  default: value,
  min,
  max,
})
/** A real number. */
export const factor = (value: number, min: number, max: number): NumberParam => ({
  kind: 'number',
  default: value,
  min,
  max,
})
/** One of several names; the first is the default. The kernel receives its position in the list. */
export const choice = <const Name extends string>(...of: readonly [Name, ...Name[]]): ChoiceParam<Name> => ({
  kind: 'choice',
  default: of[0],
  of,
})
/** A boolean. The kernel receives 1 or 0. */
export const flag = (value: boolean): FlagParam => ({ kind: 'flag', default: value })
/** What a parameter that is a distance of prices is measured in: the unit of the prices, or per cent of the price. */
export const priceUnit = () => choice('price', 'percent')
/** A kind of moving average: TA-Lib's numbers, or a name. The kernel receives the position of the name in the list. */
export const maType = (value: 0 | 1 = 0): AverageParam => ({
  kind: 'average',
  default: value,
  min: 0,
  max: 8,
  meaning: '0 SMA, 1 EMA, 2 WMA, 3 DEMA, 4 TEMA, 5 TRIMA, 6 KAMA, 7 MAMA, 8 T3',
  of: averageNames,
})
/** A parameter that takes the value of another one when only that one was given. */
export const follows = <P extends Param>(other: string, param: P): P => ({ ...param, follows: other })

/** The same, where a value that equals the other one still counts: then the parameter `receiver` takes it, if it is not given. */
export const followsUnlessGiven = <P extends Param>(other: string, receiver: string, param: P): P => ({
  ...follows(other, param),
  passesTo: receiver,
})

/** Two parameters of an entry of which `lower` must not exceed `upper`, as a fast period the slow one. */
export interface Relation<Name extends string = string> {
  readonly lower: Name
  readonly upper: Name
}
/** Refuses a `lower` above `upper`. Not for what TA-Lib swaps: there either order means the same. */
export const atMost = <const Lower extends string, const Upper extends string>(
  lower: Lower,
  upper: Upper,
): Relation<Lower | Upper> => ({ lower, upper })

interface Printed<Name extends string, Kind extends string> {
  readonly name: Name
  readonly kind: Kind
  /** Whether a candle after the warm-up may be without a value; everywhere else a missing value breaks a law. */
  readonly sparse?: boolean
  /** Candles before its first value, where that is not the lookback of the entry. */
  readonly lookback?: (params: Values) => number
  /** Of numbers that are times: Unix seconds. */
  readonly unit?: 'time'
}
export type NumberOutput<Name extends string = string> = Printed<Name, 'number'>
export type SignalOutput<Name extends string = string> = Printed<Name, 'signal'>
export type FlagOutput<Name extends string = string> = Printed<Name, 'flag'>
export interface LabelOutput<Name extends string = string, Text extends string = string>
  extends Printed<Name, 'label'> {
  readonly labels: Readonly<Record<number, Text>>
}
export interface NamesOutput<Name extends string = string> extends Printed<Name, 'names'> {
  readonly names: readonly string[]
}

/**
 * How an output is printed: as numbers, as a pattern signal (−100, 0, 100 …), as booleans, as texts, or as the names of
 * all that apply, separated by commas.
 */
export type Output = NumberOutput | SignalOutput | FlagOutput | LabelOutput | NamesOutput
/** A text is the name of an output of numbers. */
type OutputOf<Given extends Output | string> = Given extends string ? NumberOutput<Given> : Given

const toOutput = (given: Output | string): Output =>
  typeof given === 'string' ? { name: given, kind: 'number' } : given
export const signal = <const Name extends string>(name: Name): SignalOutput<Name> => ({
  name,
  kind: 'signal',
})
export const flags = <const Name extends string>(name: Name): FlagOutput<Name> => ({ name, kind: 'flag' })
/** An output of texts; the kernel writes the codes that `labels` is keyed by. */
export const label = <const Name extends string, const Text extends string>(
  name: Name,
  labels: Readonly<Record<number, Text>>,
): LabelOutput<Name, Text> => ({
  name,
  kind: 'label',
  labels,
})
/** An output of times in Unix seconds. */
export const time = <const Name extends string>(name: Name): NumberOutput<Name> => ({
  name,
  kind: 'number',
  unit: 'time',
})
/** Names whose bits fit into one number of a kernel's output. */
export const namesPerColumn = 48
/**
 * An output of the names that apply, in the order given. The kernel writes bit masks, the first name as the lowest bit,
 * to as many columns as the names need with `namesPerColumn` bits each.
 */
export const nameList = <const Name extends string>(
  name: Name,
  names: readonly string[],
): NamesOutput<Name> => ({ name, kind: 'names', names })
/** Columns that a kernel writes for an output. */
export const columnsOf = (output: Output): number =>
  output.kind === 'names' ? Math.ceil(output.names.length / namesPerColumn) : 1
/** The parameters that the start of an output depends on. */
export type Numbers<Names extends string> = Readonly<Record<Names, number>>
/** An output whose first value comes after so many candles, where the outputs of an entry start one after another. */
export const startingAfter = <Names extends string, const Given extends Output | string>(
  lookback: (params: Numbers<Names>) => number,
  output: Given,
): OutputOf<Given> =>
  ({
    ...toOutput(output),
    lookback: lookback as unknown as (params: Values) => number,
  }) as OutputOf<Given>
/**
 * An output that mathematics does not give for every candle: a level where there is no pattern, the arc sine of a
 * price. Not for what is only rarely undefined, such as a ratio on a market without any change.
 */
export const sparse = <const Given extends Output | string>(output: Given): OutputOf<Given> =>
  ({ ...toOutput(output), sparse: true }) as OutputOf<Given>

/**
 * The powers of the unit of prices and of the unit of volumes that a number is in: [1, 0] is a price, [0, 0] has no unit.
 * 'free' is what does not grow by a power, as a logarithm: in one of the two units or in both.
 */
export type Degree = readonly [price: number | 'free', volume: number | 'free'] | 'free'

type NameOf<Given extends Output | string> = Given extends Output ? Given['name'] : Given

/** What an entry gives, in the order in which it is printed. */
type Outputs = readonly [Output | string, ...(Output | string)[]]

/** How many of the first inputs the caller may replace: the first by `source`, the second by `source2`. */
export type Sources = 0 | 1 | 2

interface Definition<P extends Params, O extends Outputs, I extends readonly Input[], S extends Sources>
  extends About {
  /** Columns the kernel reads, in its own order. */
  readonly inputs: I
  /** By default 1 where the only input is a price, and 0 everywhere else. */
  readonly sources?: S
  readonly params?: P
  readonly relations?: readonly Relation<keyof P & string>[]
  readonly outputs: O
  /** Candles before the first value of every output that says nothing else, and the farthest a kernel looks back. */
  readonly lookback: number | ((params: Values<P>) => number)
  /** Numbers preserved between calls. */
  readonly state?: number | ((params: Values<P>) => number)
  /** Columns of working space, each of (candles + 2·(lookback + 1) + 16) numbers. */
  readonly scratch?: number
  /** Nanoseconds of one candle, about; to be given where it is over a microsecond with the longest parameters. */
  readonly work?: (params: Values<P>) => number
  /** How a value depends on the past, which says after how many candles it has settled. */
  readonly memory: Memory<Values<P>>
  /** How many values are returned where the caller gives no `results`; 1 by default. */
  readonly results?: number | ((params: Values<P>) => number)
  /**
   * Whether `maType` of other indicators takes its name, and stands for it with the defaults of all parameters but the period,
   * which comes first. It has one input, a period that may be any from 2 on, a start that is forgotten, and lookback and state
   * that are formulas of the period.
   */
  readonly averageType?: true
  /** Whether the outputs are prices, to be drawn over the candles. */
  readonly overlay?: boolean
  /** Of an indicator with a pane of its own. */
  readonly scale?: Scale
  /** All that is drawn of it, where that does not follow from its outputs (`drawing.ts`). */
  readonly drawing?: readonly EntryShape<NameOf<O[number]>, keyof P & string>[]
  /** The unit of the numbers, of all outputs or by output; that of prices with `overlay`, none elsewhere. */
  readonly degree?: Degree | Readonly<Record<string, Degree>> | ((params: Values<P>) => Degree)
}

/** An output with the place of its first column among those that the kernel writes. */
export type PlacedOutput<O extends Output = Output> = O & {
  readonly column: number
  degree?(params: Values): Degree
}

/** One member of the catalogue, as everything outside this folder sees it. */
export interface Indicator<P extends Params = Params, O extends Output = Output, S extends Sources = Sources>
  extends Required<About> {
  readonly inputs: readonly Input[]
  readonly sources: S
  readonly params: P
  /** What the parameters must be to each other. */
  readonly relations: readonly Relation[]
  readonly outputs: readonly PlacedOutput<O>[]
  /** Columns that the kernel writes for all outputs together. */
  readonly columns: number
  /** The farthest that the kernel looks back, in candles. */
  lookback(params: Values): number
  /** Candles before the first value of any output. */
  warmup(params: Values): number
  state(params: Values): number
  /** How many values are returned where the caller gives no `results`. */
  results(params: Values): number
  readonly scratch: number
  /** Nanoseconds of one candle, about, where it may be over a microsecond; 0 elsewhere. */
  work(params: Values): number
  readonly memory: Memory<Values>
  readonly overlay: boolean
  readonly averageType: boolean
  readonly scale: Scale | undefined
  readonly drawing: readonly EntryShape[] | undefined
}

const asFunction = <P extends Params>(size: number | ((params: Values<P>) => number)) =>
  (typeof size === 'function' ? size : () => size) as (params: Values) => number

/** The unit of an output, as a definition says it for all outputs or for each. */
function degreeOf<P extends Params>(
  { kind, name }: Output,
  degree: NonNullable<Definition<P, Outputs, readonly Input[], Sources>['degree']>,
  overlay: boolean,
): (params: Values) => Degree {
  if (kind !== 'number') return () => [0, 0]
  if (typeof degree === 'function') return degree as (params: Values) => Degree
  const found =
    degree === 'free' || Array.isArray(degree)
      ? (degree as Degree)
      : ((degree as Readonly<Record<string, Degree>>)[name] ?? (overlay ? [1, 0] : [0, 0]))
  return () => found
}

/** The outputs with their columns, one after another. */
function placedOutputs<P extends Params>(
  outputs: Outputs,
  degree: Parameters<typeof degreeOf<P>>[1],
  overlay: boolean,
): PlacedOutput[] {
  let column = 0
  return outputs.map(each => {
    const output = toOutput(each)
    const placed = { ...output, column, degree: degreeOf(output, degree, overlay) }
    column += columnsOf(output)
    return placed
  })
}

/** What `sources` is where a definition says nothing. */
type DefaultSources<I extends readonly Input[]> = I extends readonly [Price] ? 1 : 0

/**
 * Declares an indicator; the parameters of `lookback` and `state` are typed by `params`, and so is the result: the
 * TypeScript client takes the types of its requests and of their results from there.
 */
export function indicator<
  const O extends Outputs,
  const I extends readonly [Input, ...Input[]],
  const P extends Params = Record<never, never>,
  const S extends Sources = DefaultSources<I>,
>(definition: Definition<P, O, I, S>): Indicator<P, OutputOf<O[number]>, S> {
  const {
    title,
    description,
    related,
    tier = 1,
    otherNames = [],
    namesElsewhere = {},
    inputs,
    sources = inputs.length === 1 && inputs[0] !== 'timestamp' ? 1 : 0,
    params,
    relations = [],
    outputs,
    lookback,
    state = 0,
    scratch = 0,
    work = 0,
    memory,
    results = 1,
    overlay = false,
    averageType = false,
    scale,
    drawing,
    degree = overlay ? [1, 0] : [0, 0],
  } = definition
  const placed = placedOutputs(outputs, degree, overlay)
  const furthest = asFunction(lookback)
  return {
    title,
    description,
    related,
    tier,
    otherNames,
    namesElsewhere,
    inputs,
    sources: sources as S,
    params: params ?? ({} as P),
    relations,
    outputs: placed as PlacedOutput<OutputOf<O[number]>>[],
    columns: placed.reduce((total, output) => total + columnsOf(output), 0),
    lookback: furthest,
    warmup: placed.some(output => output.lookback)
      ? values => Math.min(...placed.map(output => (output.lookback ?? furthest)(values)))
      : furthest,
    state: asFunction(state),
    results: asFunction(results),
    scratch,
    work: asFunction(work),
    memory: memory as Memory<Values>,
    overlay,
    averageType,
    scale,
    drawing,
  }
}

import type { About, Scale } from './about.js'
import { namedAverages } from './average-names.js'
import type { Memory } from './fading.js'
import type { EntryShape } from './shape.js'

/** The five columns of a candle that a calculation can read. */
export const prices = ['open', 'high', 'low', 'close', 'volume'] as const
export type Price = (typeof prices)[number]

/** Input of a kernel: a price column, or the candle's open time in Unix seconds. */
export type Input = Price | 'timestamp'

/** Values of `source`: a price column or a mean of several. */
export const sources = [...prices, 'hl2', 'hlc3', 'ohlc4'] as const
export type SourceName = (typeof sources)[number]

/** The kinds of moving averages of TA-Lib, in the order of its numbers. */
export const talibAverages = ['sma', 'ema', 'wma', 'dema', 'tema', 'trima', 'kama', 'mama', 't3'] as const
/** All kinds of moving averages, in the order of their numbers in kernels. */
export const averageNames = [...talibAverages, ...namedAverages] as const
export type AverageName = (typeof averageNames)[number]
/** A kind of moving average, by the number of TA-Lib (0 to 8) or by its name. */
export type AverageType = number | AverageName

interface Described<Kind extends string, Value> {
  readonly kind: Kind
  readonly default: Value
  /** Another parameter of the entry, whose given value is this one's default. */
  readonly follows?: string
  /**
   * Name of a parameter that takes over this value if this parameter is given explicitly with its default and the other
   * one is missing.
   */
  readonly passesTo?: string
}
export interface IntegerParam extends Described<'integer', number> {
  readonly min: number
  readonly max: number
  /** Meaning of the numbers, if each of them is the number of a method. */
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

/** The value of a checked parameter. */
export type Value<P extends Param> = P extends ChoiceParam<infer Name> ? Name : P['default']
export type Values<P extends Params = Params> = { readonly [K in keyof P]: Value<P[K]> }

/**
 * Longest window, unless an entry has a shorter one: the number of candles that may be supplied. Two such windows in a row
 * fit into the default history of 1,000 candles. With all parameters at their maximum each entry has a value there.
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
/** Unit of a parameter that is a distance of prices: the unit of the prices, or per cent of the price. */
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
/** A parameter whose default is the value of another one, if that one is given. */
export const follows = <P extends Param>(other: string, param: P): P => ({ ...param, follows: other })

/**
 * Like `follows`. In addition, a given value that equals the other parameter's is passed to the parameter `receiver`,
 * unless that is given.
 */
export const followsUnlessGiven = <P extends Param>(other: string, receiver: string, param: P): P => ({
  ...follows(other, param),
  passesTo: receiver,
})

/** Two parameters of an entry of which `lower` must not exceed `upper`, such as a fast and a slow period. */
export interface Relation<Name extends string = string> {
  readonly lower: Name
  readonly upper: Name
}
/** Refuses a `lower` above `upper`. Not for parameters that TA-Lib swaps: there either order means the same. */
export const atMost = <const Lower extends string, const Upper extends string>(
  lower: Lower,
  upper: Upper,
): Relation<Lower | Upper> => ({ lower, upper })

interface Printed<Name extends string, Kind extends string> {
  readonly name: Name
  readonly kind: Kind
  /** Whether a candle after the warm-up may lack a value; elsewhere a missing value breaks a law. */
  readonly sparse?: boolean
  /** Candles before its first value, if they differ from the lookback of the entry. */
  readonly lookback?: (params: Values) => number
  /** Unit of numbers that are times: Unix seconds. */
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
 * Format of an output: numbers, a pattern signal (−100, 0, 100 …), booleans, texts, or the names of all that apply,
 * separated by commas.
 */
export type Output = NumberOutput | SignalOutput | FlagOutput | LabelOutput | NamesOutput
/** A text is the name of a numeric output. */
type OutputOf<Given extends Output | string> = Given extends string ? NumberOutput<Given> : Given

const toOutput = (given: Output | string): Output =>
  typeof given === 'string' ? { name: given, kind: 'number' } : given
export const signal = <const Name extends string>(name: Name): SignalOutput<Name> => ({
  name,
  kind: 'signal',
})
export const flags = <const Name extends string>(name: Name): FlagOutput<Name> => ({ name, kind: 'flag' })
/** An output of texts; the kernel writes the codes that are the keys of `labels`. */
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
/** Number of names whose bits fit into one number of a kernel's output. */
export const namesPerColumn = 48
/**
 * An output of the names that apply, in the order given. The kernel writes bit masks, the first name as the lowest bit,
 * to as many columns as the names need with `namesPerColumn` bits each.
 */
export const nameList = <const Name extends string>(
  name: Name,
  names: readonly string[],
): NamesOutput<Name> => ({ name, kind: 'names', names })
/** Number of columns that a kernel writes for an output. */
export const columnCount = (output: Output): number =>
  output.kind === 'names' ? Math.ceil(output.names.length / namesPerColumn) : 1
/** The parameters on which the start of an output depends. */
export type Numbers<Names extends string> = Readonly<Record<Names, number>>
/**
 * An output whose first value comes after the given number of candles, for entries whose outputs start one after another.
 */
export const startingAfter = <Names extends string, const Given extends Output | string>(
  lookback: (params: Numbers<Names>) => number,
  output: Given,
): OutputOf<Given> =>
  ({
    ...toOutput(output),
    lookback: lookback as unknown as (params: Values) => number,
  }) as OutputOf<Given>
/**
 * An output that is not defined for every candle: a level without a pattern, the arc sine of a price. Not for outputs that
 * are rarely undefined, such as a ratio on a market without any change.
 */
export const sparse = <const Given extends Output | string>(output: Given): OutputOf<Given> =>
  ({ ...toOutput(output), sparse: true }) as OutputOf<Given>

/**
 * The exponents of the unit of prices and of the unit of volumes in a number: [1, 0] is a price, [0, 0] has no unit. 'free'
 * marks a number that does not scale by a power, like a logarithm: in one of the two units or in both.
 */
export type Degree = readonly [price: number | 'free', volume: number | 'free'] | 'free'

type NameOf<Given extends Output | string> = Given extends Output ? Given['name'] : Given

/** The outputs of an entry, in the order in which they are printed. */
type Outputs = readonly [Output | string, ...(Output | string)[]]

/** Number of leading inputs that the caller may replace: the first by `source`, the second by `source2`. */
export type Sources = 0 | 1 | 2

interface Definition<P extends Params, O extends Outputs, I extends readonly Input[], S extends Sources>
  extends About {
  /** Columns the kernel reads, in its own order. */
  readonly inputs: I
  /** Default: 1 if the only input is a price, 0 otherwise. */
  readonly sources?: S
  readonly params?: P
  readonly relations?: readonly Relation<keyof P & string>[]
  readonly outputs: O
  /** Candles before the first value of every output without a lookback of its own, and the farthest a kernel reads back. */
  readonly lookback: number | ((params: Values<P>) => number)
  /** Numbers preserved between calls. */
  readonly state?: number | ((params: Values<P>) => number)
  /** Columns of working space, each of (candles + 2·(lookback + 1) + 16) numbers. */
  readonly scratch?: number
  /** Estimated nanoseconds per candle; required if more than a microsecond with the longest parameters. */
  readonly work?: (params: Values<P>) => number
  /** Dependence of a value on the past, from which the settling follows. */
  readonly memory: Memory<Values<P>>
  /** Number of returned values if the caller gives no `results`; 1 by default. */
  readonly results?: number | ((params: Values<P>) => number)
  /**
   * Whether `maType` of other indicators accepts its name, with the defaults of all parameters but the period, which comes
   * first. Requires one input, any period from 2 on, a start that is forgotten, and a lookback and a state that are formulas
   * of the period.
   */
  readonly averageType?: true
  /** Whether the outputs are prices, to be drawn over the candles. */
  readonly overlay?: boolean
  /** Scale of an indicator with a pane of its own. */
  readonly scale?: Scale
  /** Its complete drawing, if it does not follow from its outputs (`drawing.ts`). */
  readonly drawing?: readonly EntryShape<NameOf<O[number]>, keyof P & string>[]
  /** The unit of the numbers, for all outputs or by output. Default: prices with `overlay`, none otherwise. */
  readonly degree?: Degree | Readonly<Record<string, Degree>> | ((params: Values<P>) => Degree)
}

/** An output with the place of its first column among the columns of the kernel. */
export type PlacedOutput<O extends Output = Output> = O & {
  readonly column: number
  degree?(params: Values): Degree
}

/** A member of the catalogue as the rest of the service sees it. */
export interface Indicator<P extends Params = Params, O extends Output = Output, S extends Sources = Sources>
  extends Required<About> {
  readonly inputs: readonly Input[]
  readonly sources: S
  readonly params: P
  /** Required relations of the parameters. */
  readonly relations: readonly Relation[]
  readonly outputs: readonly PlacedOutput<O>[]
  /** Number of columns that the kernel writes for all outputs together. */
  readonly columns: number
  /** The farthest that the kernel reads back, in candles. */
  lookback(params: Values): number
  /** Candles before the first value of any output. */
  warmup(params: Values): number
  state(params: Values): number
  /** Number of returned values if the caller gives no `results`. */
  results(params: Values): number
  readonly scratch: number
  /** Estimated nanoseconds per candle if it may be over a microsecond; 0 otherwise. */
  work(params: Values): number
  readonly memory: Memory<Values>
  readonly overlay: boolean
  readonly averageType: boolean
  readonly scale: Scale | undefined
  readonly drawing: readonly EntryShape[] | undefined
}

const asFunction = <P extends Params>(size: number | ((params: Values<P>) => number)) =>
  (typeof size === 'function' ? size : () => size) as (params: Values) => number

/** The unit of an output, from a definition for all outputs or for each. */
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
    column += columnCount(output)
    return placed
  })
}

/** Default of `sources`. */
type DefaultSources<I extends readonly Input[]> = I extends readonly [Price] ? 1 : 0

/**
 * Declares an indicator. `params` determines the types of the parameters of `lookback` and `state`, and of the result, from
 * which the TypeScript client derives the types of requests and results.
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
    columns: placed.reduce((total, output) => total + columnCount(output), 0),
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

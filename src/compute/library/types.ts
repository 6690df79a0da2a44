import type {
  CandleInput,
  IndicatorName,
  IndicatorParams,
  NameOf,
  OutputsOf,
  Timeframe,
  ValueOf,
} from '../../client/types.js'

export type { CandleInput, IndicatorName, IndicatorParams }

/** Numbers, one per candle, oldest first. A missing value is NaN, null or undefined. */
export type Numbers = Float64Array | Float32Array | readonly (number | null | undefined)[]

/** Candles as columns of equal length. Only the columns that a calculation reads are required. */
export interface CandleColumns {
  /** Open times in Unix seconds; without them they are array indices. */
  readonly timestamp?: Numbers
  readonly open?: Numbers
  readonly high?: Numbers
  readonly low?: Numbers
  readonly close?: Numbers
  readonly volume?: Numbers
}

/** Candles of the caller: columns, objects, or the only input of an indicator. */
export type OwnCandles = CandleColumns | readonly CandleInput[] | Numbers

/** A candle that may lack the fields that a calculation does not read, or the only input of an indicator. */
export type OwnCandle = Partial<CandleInput> | number

/** Values of an output: numbers with NaN for missing ones, or texts and booleans with null. */
type ColumnOf<Output> = Output extends { readonly kind: 'number' | 'signal' }
  ? Float64Array
  : readonly ValueOf<Output>[]

/** Result of an indicator: a column per output, as long as the candles. */
export type IndicatorColumns<Name extends IndicatorName> = {
  readonly [Output in OutputsOf<Name> as NameOf<Output>]: ColumnOf<Output>
}

/** Values of an indicator at one candle. A missing number is NaN, a missing text or boolean null. */
export type IndicatorValues<Name extends IndicatorName> = {
  readonly [Output in OutputsOf<Name> as NameOf<Output>]: Output extends {
    readonly kind: 'number' | 'signal'
  }
    ? number
    : ValueOf<Output>
}

type IsUnion<Type, Each = Type> = [Each] extends [never]
  ? false
  : Each extends unknown
    ? [Type] extends [Each]
      ? false
      : true
    : never

/** The column of an indicator with one output, or the columns by name. */
export type IndicatorOutput<Name extends IndicatorName> =
  true extends IsUnion<OutputsOf<Name>> ? IndicatorColumns<Name> : ColumnOf<OutputsOf<Name>>

/** Computes an indicator over candles. */
export type IndicatorFunction<Name extends IndicatorName> = (
  candles: OwnCandles,
  params?: IndicatorParams<Name>,
) => IndicatorOutput<Name>

/** Values of an expression: numbers with NaN for undefined ones, or booleans with null. */
export type ExpressionColumn = Float64Array | readonly (boolean | null)[]

/** A live calculation as JSON, for `restore` in the same release. */
export interface SavedLive {
  readonly version: string
  readonly indicator: string
  readonly params: object
  readonly timeframe: Timeframe | undefined
  readonly index: number
  readonly last: number
  /** State and candles as base64 of f64. */
  readonly state: string
  readonly candles: string
}

/** A calculation that continues candle by candle. Its values equal those of all candles at once, bit for bit. */
export interface Live<Values> {
  /** Values at the newest closed candle; undefined before the first one. */
  readonly values: Values | undefined
  /** Values at a candle that is still forming. The next call replaces the candle. */
  update(candle: OwnCandle): Values
  /** Adds a closed candle, and returns the values there. */
  close(candle: OwnCandle): Values
  /** The calculation as JSON, for `restore` in the same release. */
  save(): SavedLive
}

/** The functions of `candela-ta/compute` in addition to those of the indicators. All refuse with a `CandelaError`. */
export interface Library {
  /**
   * Computes an indicator over candles: a column per output, named as in the interface and as long as the candles. The
   * values are those of the service, bit for bit.
   */
  compute<Name extends IndicatorName>(
    name: Name,
    candles: OwnCandles,
    params?: IndicatorParams<Name>,
  ): IndicatorColumns<Name>
  /**
   * Computes an expression over candles, whose times decide its timeframe. `others` are the candles of other markets,
   * by their names between braces.
   */
  expression(
    text: string,
    candles: OwnCandles,
    others?: Readonly<Record<string, OwnCandles>>,
  ): ExpressionColumn
  /** A live calculation of an indicator after a history. */
  live<Name extends IndicatorName>(
    name: Name,
    params?: IndicatorParams<Name>,
    history?: OwnCandles,
  ): Live<IndicatorValues<Name>>
  /** A live expression. Without a history, `timeframe` is required if the expression chooses longer ones. */
  live(
    name: 'expression',
    params: { readonly expression: string; readonly timeframe?: Timeframe },
    history?: OwnCandles,
  ): Live<{ readonly value: number | boolean | null }>
  /** Continues a calculation that `save` returned. */
  restore(saved: SavedLive): Live<Readonly<Record<string, number | string | boolean | null>>>
  /**
   * Loads the kernels where a host has no files, such as a browser: await it once before the first calculation. By
   * default they are fetched from the package. `source` may be their bytes, their address, or a response with them.
   */
  load(source?: BufferSource | URL | string | Response | WebAssembly.Module): Promise<void>
}

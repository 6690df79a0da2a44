import type { Timeframe } from '../candles/timeframe.js'
import type { categories, SourceName } from '../catalogue/index.js'

export type { Timeframe }

/** Which candles are meant. */
export interface Market {
  readonly exchange: string
  /** With or without a slash. */
  readonly symbol: string
  readonly timeframe: Timeframe
}

/** One candle. Without `timestamp` (Unix seconds) on any candle, their open times are their indices. */
export interface CandleInput {
  readonly timestamp?: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** A candle of an exchange; `timestamp` is its open in Unix seconds. */
export interface Candle extends Required<CandleInput> {
  readonly timestampHuman: string
}

type Catalogue = typeof categories
type MembersOf<Group> = Group extends Group ? { [Name in keyof Group]: Group[Name] } : never
type Merge<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
type Members = Merge<MembersOf<Catalogue[keyof Catalogue]>>

/** The name of an indicator. */
export type IndicatorName = keyof Members & string

type ValueOf<Param> = Param extends { readonly kind: 'choice'; readonly of: readonly (infer Name)[] }
  ? Name
  : Param extends { readonly kind: 'flag' }
    ? boolean
    : number
type ParamsOf<Member> = Member extends { readonly params: infer Params }
  ? { readonly [Name in keyof Params]?: ValueOf<Params[Name]> }
  : never

/** The parameters of an indicator; those that are not given have their defaults. */
export type IndicatorParams<Name extends IndicatorName> = ParamsOf<Members[Name]> & {
  /** The column in the place of the first input, where the indicator allows a choice. */
  readonly source?: SourceName
  /** The column in the place of the second input. */
  readonly source2?: SourceName
}

/** The window of values that are wanted. */
export interface ResultWindow {
  /** How many values, the newest ones; `max` for all. */
  readonly results?: number | 'max'
  /** How many of the newest candles to skip. */
  readonly backtrack?: number
}

/** A value of an output: null where there is none. */
export type OutputValue = number | string | boolean | null

/** The values of each output by its name, oldest first, aligned with `timestamp` (Unix seconds). */
export type IndicatorResult = { readonly timestamp: readonly number[] } & {
  readonly [output: string]: readonly OutputValue[]
}

/** One indicator of a bulk construct, by the name it has in the answer. */
export type BulkIndicator = {
  [Name in IndicatorName]: { readonly id: string; readonly indicator: Name } & IndicatorParams<Name> &
    ResultWindow
}[IndicatorName]

/** Indicators over one market. */
export interface MarketConstruct extends Market {
  readonly id: string
  readonly indicators: readonly BulkIndicator[]
}

/** Indicators over candles of the caller. */
export interface CandlesConstruct {
  readonly id: string
  readonly candles: readonly CandleInput[]
  readonly indicators: readonly BulkIndicator[]
}

/** The results of one construct by the ids of its indicators: null where one could not be computed. */
export type ConstructResult = Readonly<Record<string, IndicatorResult | null>> & { readonly _error?: string }

/** The results of a bulk request by the ids of its constructs. */
export type BulkResult = Readonly<Record<string, ConstructResult>>

/** What to follow. */
export type Subscription = Market & {
  /** Names the updates. */
  readonly id: string
  /** Whether only closed candles are wanted. */
  readonly candleClose?: boolean
} & {
    [Name in IndicatorName]: { readonly indicator: Name; readonly params?: IndicatorParams<Name> }
  }[IndicatorName]

/** One update of a subscription. */
export interface Update {
  /** The id of the subscription. */
  readonly id: string
  /** The values by output, and the open time of their candle. */
  readonly data: { readonly timestamp: number } & { readonly [output: string]: OutputValue }
  /** Whether the candle is closed. */
  readonly closed: boolean
}

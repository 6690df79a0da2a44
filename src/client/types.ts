import type { Timeframe } from '../candles/timeframe.js'
import type { Description } from '../catalogue/description.js'
import type { AverageType, categories, SourceName } from '../catalogue/index.js'

export type { Description as IndicatorDescription, Timeframe }

/** Names a series of candles. */
export interface Market {
  readonly exchange: string
  /** With or without a slash. */
  readonly symbol: string
  readonly timeframe: Timeframe
  /** Of the exchange `stocks`: prices adjusted for splits (the default), as they were traded, or for splits and dividends. */
  readonly adjustment?: 'split' | 'raw' | 'all'
}

/** Which indicators are wanted. */
export interface IndicatorSearch {
  readonly category?: keyof typeof categories
  /** Words of the name, of other names, of the title or of the category. */
  readonly search?: string
  /** How widely an indicator is known: 1 widely, 3 hardly. */
  readonly tier?: Description['tier']
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

/** A value of the field `indicator` of a request. */
type RequestName = IndicatorName | 'expression'

type ParamValue<Param> = Param extends { readonly kind: 'choice'; readonly of: readonly (infer Name)[] }
  ? Name
  : Param extends { readonly kind: 'average' }
    ? AverageType
    : Param extends { readonly kind: 'flag' }
      ? boolean
      : number
type OwnParams<Name extends IndicatorName> = Members[Name] extends { readonly params: infer Params }
  ? { readonly [Param in keyof Params]?: ParamValue<Params[Param]> }
  : never

interface Source {
  /** The column in the place of the first input. */
  readonly source?: SourceName
}
interface SecondSource extends Source {
  /** The column in the place of the second input. */
  readonly source2?: SourceName
}
type SourceParams<Name extends IndicatorName> = Members[Name] extends { readonly sources: infer Count }
  ? Count extends 1
    ? Source
    : Count extends 2
      ? SecondSource
      : Record<never, never>
  : never

/** The parameters of an indicator; those that are not given have their defaults. */
export type IndicatorParams<Name extends IndicatorName> = OwnParams<Name> &
  Omit<SourceParams<Name>, keyof OwnParams<Name>>

/** What is made of candles before anything is computed: see docs/values.md. */
export type ChartName =
  | 'candles'
  | 'heikinashi'
  | 'linebreak'
  | `${'renko' | 'range' | 'linebreak'}:${number}`
  | `renko:atr${number}`

/** A request that is refused where candles are too old. */
export interface MaxAge {
  /** Seconds since the end of the newest candle, at most. Without it old candles are marked. */
  readonly maxAge?: number
}

/** A request for candles of a market as they were known, or not too old. */
export interface AsOf extends MaxAge {
  /** Those that had closed by this time, without later corrections: Unix seconds, or ISO 8601. */
  readonly asOf?: number | string
}

/** A request about the bars of a chart. */
export interface Charted {
  /** What is made of the candles first. By default nothing is. */
  readonly chart?: ChartName
}

/** The window of values that are wanted. */
export interface ResultWindow extends Charted {
  /** How many values, the newest ones; `max` for all. */
  readonly results?: number | 'max'
  /** How many of the newest candles to skip. */
  readonly backtrack?: number
  /** In the place of the other two: the values of candles that open at this time or later, in Unix seconds or ISO 8601. */
  readonly from?: number | string
  /** The values of candles that open at this time or earlier. */
  readonly to?: number | string
}

/** The window of values that are wanted, and how many of their digits must have settled. */
export interface SettledWindow extends ResultWindow {
  /** Values are null whose first so many digits may depend on where the history begins: 1 to 8. */
  readonly settled?: number
}

/** A value of an output: null where there is none. */
export type OutputValue = number | string | boolean | null

type OutputsOf<Name extends IndicatorName> = Members[Name] extends {
  readonly outputs: readonly (infer Output)[]
}
  ? Output
  : never
type NameOf<Output> = Output extends { readonly name: infer Name extends string } ? Name : never
type ValueOf<Output> =
  | null
  | (Output extends { readonly kind: 'label'; readonly labels: Readonly<Record<number, infer Text>> }
      ? Text
      : Output extends { readonly kind: 'names' }
        ? string
        : Output extends { readonly kind: 'flag' }
          ? boolean
          : number)

/** The names of the outputs of an indicator. */
export type OutputName<Name extends IndicatorName> = NameOf<OutputsOf<Name>>

/** A result of an indicator whose name is only known when the program runs. */
type AnyResult = { readonly timestamp: readonly number[] } & {
  readonly [output: string]: readonly OutputValue[]
}
type ResultOf<Name> = Name extends IndicatorName
  ? { readonly timestamp: readonly number[] } & {
      readonly [Output in OutputsOf<Name> as NameOf<Output>]: readonly ValueOf<Output>[]
    }
  : never

/** The values of each output by its name, oldest first, aligned with `timestamp` (Unix seconds). */
export type IndicatorResult<Name extends IndicatorName = IndicatorName> = IndicatorName extends Name
  ? AnyResult
  : ResultOf<Name>

/** The values of an expression, oldest first, aligned with `timestamp`; null where it is undefined. */
export interface ExpressionResult {
  readonly value: readonly (number | boolean | null)[]
  readonly timestamp: readonly number[]
}
/** What is known of an expression before it is computed. */
export interface ExpressionCheck {
  /** One output named `value`. */
  readonly outputs: readonly { readonly name: string; readonly type: 'number' | 'boolean' }[]
  /** Candles before the first value. */
  readonly lookback: number
  /** Candles before the first value of which 4, or 8, digits do not depend on where the history begins; null where there is no such number. */
  readonly settled4: number | null
  readonly settled8: number | null
  /** The indicator because of which it never settles. */
  readonly unsettling?: string
  /** Whether the value at the forming candle may change until that closes. */
  readonly formingChanges: boolean
  /** Whether a value may depend on a later candle, which none does, and why. */
  readonly lookAhead: { readonly possible: boolean; readonly because: string }
  /** The longer timeframes that are chosen by `@`. */
  readonly timeframes: readonly Timeframe[]
  /** The other markets that are chosen between braces. */
  readonly markets: readonly string[]
  /** Different parts that are computed. */
  readonly nodes: number
  /** The different calculations of indicators among them. */
  readonly indicators: readonly {
    readonly indicator: string
    readonly params: Readonly<Record<string, number | string | boolean>>
    readonly lookback: number
    readonly stability: Description['stability']
    readonly settled4: number | null
    readonly settled8: number | null
  }[]
  /** What it takes to compute it over so many candles for the first time, about; later values take one step. */
  readonly cost: { readonly candles: number; readonly microseconds: number }
}

type NamedResult<Name extends RequestName> = [Name] extends ['expression']
  ? ExpressionResult
  : IndicatorResult<Exclude<Name, 'expression'>>

/** One indicator or expression of a bulk construct, by the name it has in the answer. */
export type BulkIndicator =
  | {
      [Name in IndicatorName]: { readonly id: string; readonly indicator: Name } & IndicatorParams<Name> &
        SettledWindow
    }[IndicatorName]
  | ({
      readonly id: string
      readonly indicator: 'expression'
      readonly expression: string
    } & SettledWindow)

/** Indicators over one market. */
export interface MarketConstruct extends Market, AsOf {
  readonly id: string
  readonly indicators: readonly BulkIndicator[]
}

/** Indicators over candles of the caller. */
export interface CandlesConstruct {
  readonly id: string
  readonly candles: readonly CandleInput[]
  readonly indicators: readonly BulkIndicator[]
}

/** A result of a bulk request with `verbose`. */
export interface VerboseResult<Name extends RequestName = IndicatorName> {
  readonly indicator: Name
  /** All parameters, with their defaults. */
  readonly params: Readonly<Record<string, number | string | boolean>>
  readonly result: NamedResult<Name> | null
  /** Why there is no result. */
  readonly errors: readonly string[]
  /** How far the values do not depend on where the history begins; absent without a result. */
  readonly settled?: {
    /** Digits of the newest value that have settled, at most 8. */
    readonly digits: number
    /** The open time of the first candle whose value has 4 settled digits, or as many as were asked for. */
    readonly from: number | null
  }
  /** Where there are fewer values than `results` asks for: how many, and why. */
  readonly warnings?: readonly string[]
}

type EntryOf<Indicator, Verbose> = Indicator extends { readonly indicator: infer Name extends RequestName }
  ? Verbose extends true
    ? VerboseResult<Name>
    : NamedResult<Name> | null
  : never

interface Indicated {
  readonly id: string
  readonly indicators: readonly { readonly id: string; readonly indicator: RequestName }[]
}

/** The results of one construct by the ids of its indicators: null where one could not be computed. */
export type ConstructResult<Construct extends Indicated = Indicated, Verbose extends boolean = false> = {
  readonly [Indicator in Construct['indicators'][number] as Indicator['id']]: EntryOf<Indicator, Verbose>
} & {
  /** Why there are no candles. */
  readonly _error?: string
  /** Where candles are old: seconds since the end of the newest one. */
  readonly _age?: number
} & (Verbose extends true
    ? { readonly _asset?: Omit<Market, 'adjustment'> & { readonly source?: string } }
    : unknown)

/** The results of a bulk request by the ids of its constructs. */
export type BulkResult<
  Constructs extends readonly Indicated[] = readonly Indicated[],
  Verbose extends boolean = false,
> = {
  readonly [Construct in Constructs[number] as Construct['id']]: ConstructResult<Construct, Verbose>
}

/**
 * The same type, except that a field that an indicator does not have must not have a value: a type parameter alone
 * accepts fields that nothing names.
 */
type Exact<Indicator, Allowed> = {
  readonly [Field in keyof Indicator]: Field extends Allowed ? Indicator[Field] : never
}
type FieldsOf<Given> = Given extends { readonly indicator: infer Name extends RequestName }
  ? 'id' | 'indicator' | keyof SettledWindow | ParamName<Name>
  : never
/** The names of the parameters of an indicator or of an expression. */
type ParamName<Name extends RequestName> = Name extends IndicatorName
  ? keyof IndicatorParams<Name>
  : 'expression'
type ExactIndicators<Indicators> = {
  readonly [At in keyof Indicators]: Exact<Indicators[At], FieldsOf<Indicators[At]>>
}
type ExactFields<Constructs extends readonly Indicated[]> = {
  readonly [At in keyof Constructs]: {
    readonly [Field in keyof Constructs[At]]: Field extends 'indicators'
      ? ExactIndicators<Constructs[At][Field]>
      : Constructs[At][Field]
  }
}
/** Constructs whose indicators have no field that is misspelled. */
export type ExactConstructs<Constructs extends readonly Indicated[]> =
  Constructs extends ExactFields<Constructs> ? unknown : ExactFields<Constructs>

/** Without parameters of its own, an indicator accepts none. */
type NamedParams<Name extends IndicatorName> = [keyof IndicatorParams<Name>] extends [never]
  ? Readonly<Record<string, never>>
  : IndicatorParams<Name>

/** What to follow. */
export type Subscription = Market &
  Charted & {
    /** Names the updates. */
    readonly id: string
    /** Whether only closed candles are wanted. */
    readonly candleClose?: boolean
    /** There is no update for a candle whose value has fewer settled digits: 1 to 8. */
    readonly settled?: number
  } & (
    | {
        [Name in IndicatorName]: { readonly indicator: Name; readonly params?: NamedParams<Name> }
      }[IndicatorName]
    | { readonly indicator: 'expression'; readonly params: { readonly expression: string } }
  )

type ParamNames<Given> = Given extends { readonly indicator: infer Name extends RequestName }
  ? ParamName<Name>
  : never
type ExactParams<Subscriptions extends readonly Subscription[]> = {
  readonly [At in keyof Subscriptions]: {
    readonly [Field in keyof Subscriptions[At]]: Field extends 'params'
      ? Exact<Subscriptions[At][Field], ParamNames<Subscriptions[At]>>
      : Subscriptions[At][Field]
  }
}
/** Subscriptions without a parameter that is misspelled. */
export type ExactSubscriptions<Subscriptions extends readonly Subscription[]> =
  Subscriptions extends ExactParams<Subscriptions> ? unknown : ExactParams<Subscriptions>

/** The only output of an indicator has the indicator's name in an update. */
type FieldOf<Name extends IndicatorName, Output> = [OutputName<Name>] extends [NameOf<Output>]
  ? Name
  : NameOf<Output>
type UpdateData<Name> = [IndicatorName] extends [Name]
  ? { readonly timestamp: number } & { readonly [output: string]: OutputValue }
  : Name extends 'expression'
    ? { readonly timestamp: number; readonly expression: number | boolean | null }
    : Name extends IndicatorName
      ? { readonly timestamp: number } & {
          readonly [Output in OutputsOf<Name> as FieldOf<Name, Output>]: ValueOf<Output>
        }
      : never

interface Followed {
  readonly id: string
  readonly indicator: RequestName
}
interface UpdateOf<Subscription extends Followed> {
  /** The id of the subscription. */
  readonly id: Subscription['id']
  readonly indicator: Subscription['indicator']
  /** The values by output, and the open time of their candle. */
  readonly data: UpdateData<Subscription['indicator']>
  /** Whether the candle is closed. */
  readonly closed: boolean
  /**
   * Closed candles before this one are missing: the connection was lost, and the service could not give their values
   * afterwards.
   */
  readonly gap?: true
  /** Where the newest candle of the market is old: seconds since its end. */
  readonly age?: number
}

/** One update of a subscription. */
export type Update<Subscription extends Followed = Followed> = [IndicatorName] extends [
  Subscription['indicator'],
]
  ? UpdateOf<Followed>
  : Subscription extends Subscription
    ? UpdateOf<Subscription>
    : never

import type { Timeframe } from '../candles/timeframe.js'
import type { Description } from '../catalogue/description.js'
import type { AverageType, categories, SourceName } from '../catalogue/index.js'

export type { Description as IndicatorDescription, Timeframe }

/** A series of candles: exchange, symbol and timeframe. */
export interface Market {
  readonly exchange: string
  /** The symbol, with or without a slash. */
  readonly symbol: string
  readonly timeframe: Timeframe
  /**
   * Price adjustment for the exchange `stocks`: `split` (the default) for splits, `raw` for traded prices, `all` for
   * splits and dividends.
   */
  readonly adjustment?: 'split' | 'raw' | 'all'
}

/** Filter for the list of indicators. */
export interface IndicatorSearch {
  readonly category?: keyof typeof categories
  /** Words to look for in the name, other names, the title and the category. */
  readonly search?: string
  /** Tier of the indicator: 1 is widely known, 3 hardly known. */
  readonly tier?: Description['tier']
}

/**
 * A candle that the caller supplies. `timestamp` is its open time in Unix seconds. Give it on all candles or on none.
 * Without timestamps, open times are array indices.
 */
export interface CandleInput {
  readonly timestamp?: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** A candle of an exchange. `timestamp` is its open time in Unix seconds. */
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

/** Value of the request field `indicator`. */
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
  /** Price column to use instead of the first input. */
  readonly source?: SourceName
}
interface SecondSource extends Source {
  /** Price column to use instead of the second input. */
  readonly source2?: SourceName
}
type SourceParams<Name extends IndicatorName> = Members[Name] extends { readonly sources: infer Count }
  ? Count extends 1
    ? Source
    : Count extends 2
      ? SecondSource
      : Record<never, never>
  : never

/** Parameters of an indicator. Omitted parameters have their defaults. */
export type IndicatorParams<Name extends IndicatorName> = OwnParams<Name> &
  Omit<SourceParams<Name>, keyof OwnParams<Name>>

/** Chart type: the bars that are built from the candles before the computation. See docs/values.md. */
export type ChartName =
  | 'candles'
  | 'heikinashi'
  | 'linebreak'
  | `${'renko' | 'range' | 'linebreak'}:${number}`
  | `renko:atr${number}`

/** A request that is refused if the candles are too old. */
export interface MaxAge {
  /** Maximum age of the newest candle: seconds since its end. By default old candles are accepted and marked. */
  readonly maxAge?: number
}

/** Reference time and maximum age of the candles of a request. */
export interface AsOf extends MaxAge {
  /**
   * Reference time in Unix seconds or ISO 8601. Uses the candles that had closed by this time, without later
   * corrections.
   */
  readonly asOf?: number | string
}

/** A request that may compute over the bars of a chart. */
export interface Charted {
  /** Chart type to build from the candles first. Default: the candles themselves. */
  readonly chart?: ChartName
}

/** Window of the requested values. */
export interface ResultWindow extends Charted {
  /** Number of newest values to return; `max` for all. */
  readonly results?: number | 'max'
  /** Number of newest candles to skip. */
  readonly backtrack?: number
  /**
   * First candle open time, inclusive, in Unix seconds or ISO 8601. Use `from` and `to` instead of `results` and
   * `backtrack`.
   */
  readonly from?: number | string
  /** Last candle open time, inclusive, in Unix seconds or ISO 8601. */
  readonly to?: number | string
}

/** Window of the requested values, and the number of settled digits that a value needs. */
export interface SettledWindow extends ResultWindow {
  /**
   * Number of leading digits, 1 to 8, that must not depend on where the history begins. Values with fewer such digits
   * are null.
   */
  readonly settled?: number
}

/** Value of an output; null if missing. */
export type OutputValue = number | string | boolean | null

export type OutputsOf<Name extends IndicatorName> = Members[Name] extends {
  readonly outputs: readonly (infer Output)[]
}
  ? Output
  : never
export type NameOf<Output> = Output extends { readonly name: infer Name extends string } ? Name : never
export type ValueOf<Output> =
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

/** Result of an indicator whose name is known only at run time. */
type AnyResult = { readonly timestamp: readonly number[] } & {
  readonly [output: string]: readonly OutputValue[]
}
type ResultOf<Name> = Name extends IndicatorName
  ? { readonly timestamp: readonly number[] } & {
      readonly [Output in OutputsOf<Name> as NameOf<Output>]: readonly ValueOf<Output>[]
    }
  : never

/** Values by output name, oldest first. They are aligned with `timestamp`, the candle open times in Unix seconds. */
export type IndicatorResult<Name extends IndicatorName = IndicatorName> = IndicatorName extends Name
  ? AnyResult
  : ResultOf<Name>

/** Values of an expression, oldest first, aligned with `timestamp`. An undefined value is null. */
export interface ExpressionResult {
  readonly value: readonly (number | boolean | null)[]
  readonly timestamp: readonly number[]
}
/** Properties of an expression, known without computing it. */
export interface ExpressionCheck {
  /** The only output, named `value`. */
  readonly outputs: readonly { readonly name: string; readonly type: 'number' | 'boolean' }[]
  /** Number of candles before the first value. */
  readonly lookback: number
  /**
   * Number of candles before the first value with 4 settled digits. `settled8` is the number for 8 digits. Settled
   * digits do not depend on where the history begins. Null if the digits never settle.
   */
  readonly settled4: number | null
  readonly settled8: number | null
  /** The indicator that keeps the expression from settling. */
  readonly unsettling?: string
  /** Whether the value of the forming candle may change until the candle closes. */
  readonly formingChanges: boolean
  /** Whether a value may depend on a later candle, with the reason. `possible` is always false. */
  readonly lookAhead: { readonly possible: boolean; readonly because: string }
  /** Longer timeframes that the expression chooses with `@`. */
  readonly timeframes: readonly Timeframe[]
  /** Other markets that the expression names in braces. */
  readonly markets: readonly string[]
  /** Number of distinct parts to compute. */
  readonly nodes: number
  /** Distinct indicator calculations among the parts. */
  readonly indicators: readonly {
    readonly indicator: string
    readonly params: Readonly<Record<string, number | string | boolean>>
    readonly lookback: number
    readonly stability: Description['stability']
    readonly settled4: number | null
    readonly settled8: number | null
  }[]
  /** Estimated cost of the first computation, over `candles` candles. Each later value costs one step. */
  readonly cost: { readonly candles: number; readonly microseconds: number }
}

type NamedResult<Name extends RequestName> = [Name] extends ['expression']
  ? ExpressionResult
  : IndicatorResult<Exclude<Name, 'expression'>>

/** One indicator or expression of a bulk construct. `id` is its key in the answer. */
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

/** Indicators over candles that the caller supplies. */
export interface CandlesConstruct {
  readonly id: string
  readonly candles: readonly CandleInput[]
  readonly indicators: readonly BulkIndicator[]
}

/** Result of one indicator in a bulk request with `verbose`. */
export interface VerboseResult<Name extends RequestName = IndicatorName> {
  readonly indicator: Name
  /** All parameters, including the defaults. */
  readonly params: Readonly<Record<string, number | string | boolean>>
  readonly result: NamedResult<Name> | null
  /** Reasons for a missing result. */
  readonly errors: readonly string[]
  /** Settled digits of the values: digits that do not depend on where the history begins. Absent without a result. */
  readonly settled?: {
    /** Number of settled digits of the newest value, at most 8. */
    readonly digits: number
    /** Open time of the first candle whose value has the number of settled digits in the request, by default 4. */
    readonly from: number | null
  }
  /** Warning if there are fewer values than `results`: their number and the reason. */
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

/** Results of one construct by indicator id. A result that could not be computed is null. */
export type ConstructResult<Construct extends Indicated = Indicated, Verbose extends boolean = false> = {
  readonly [Indicator in Construct['indicators'][number] as Indicator['id']]: EntryOf<Indicator, Verbose>
} & {
  /** Error text if there are no candles. */
  readonly _error?: string
  /** Age of old candles: seconds since the end of the newest one. Absent if the candles are current. */
  readonly _age?: number
} & (Verbose extends true
    ? { readonly _asset?: Omit<Market, 'adjustment'> & { readonly source?: string } }
    : unknown)

/** Results of a bulk request by construct id. */
export type BulkResult<
  Constructs extends readonly Indicated[] = readonly Indicated[],
  Verbose extends boolean = false,
> = {
  readonly [Construct in Constructs[number] as Construct['id']]: ConstructResult<Construct, Verbose>
}

/** The same type, but fields outside `Allowed` have the type `never`. A type parameter alone would accept unknown fields. */
type Exact<Indicator, Allowed> = {
  readonly [Field in keyof Indicator]: Field extends Allowed ? Indicator[Field] : never
}
type FieldsOf<Given> = Given extends { readonly indicator: infer Name extends RequestName }
  ? 'id' | 'indicator' | keyof SettledWindow | ParamName<Name>
  : never
/** Parameter names of an indicator or of an expression. */
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
/** Compile-time check that rejects constructs with a misspelled field of an indicator. */
export type ExactConstructs<Constructs extends readonly Indicated[]> =
  Constructs extends ExactFields<Constructs> ? unknown : ExactFields<Constructs>

/** Parameters of an indicator by name. An indicator without parameters accepts only an empty object. */
type NamedParams<Name extends IndicatorName> = [keyof IndicatorParams<Name>] extends [never]
  ? Readonly<Record<string, never>>
  : IndicatorParams<Name>

/** One indicator or expression over one market, followed live. */
export type Subscription = Market &
  Charted & {
    /** Id of the subscription. Its updates have the same id. */
    readonly id: string
    /** Whether updates come for closed candles only. */
    readonly candleClose?: boolean
    /** Minimum number of settled digits, 1 to 8. Candles whose value has fewer settled digits cause no update. */
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
/** Compile-time check that rejects subscriptions with a misspelled parameter. */
export type ExactSubscriptions<Subscriptions extends readonly Subscription[]> =
  Subscriptions extends ExactParams<Subscriptions> ? unknown : ExactParams<Subscriptions>

/** Field of an output in an update. A single output has the name of its indicator. */
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
  /** Id of the subscription. */
  readonly id: Subscription['id']
  readonly indicator: Subscription['indicator']
  /** Values by output, and the open time of their candle in Unix seconds. */
  readonly data: UpdateData<Subscription['indicator']>
  /** Whether the candle is closed. */
  readonly closed: boolean
  /**
   * True if closed candles before this one are missing. The connection was lost, and the service could not provide their
   * values later.
   */
  readonly gap?: true
  /** Age of an old newest candle of the market: seconds since its end. Absent if the candle is current. */
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

/** Measures over many markets. See docs/breadth.md. */
export interface BreadthRequest extends Pick<ScreenRequest, 'exchange' | 'timeframe' | 'symbols' | 'quote'> {
  /** Expressions by name, such as `breadth(close > sma(200))`. */
  readonly measures: Readonly<Record<string, string>>
  /** Number of newest values to return. Default: 1. */
  readonly results?: number | 'max'
  /** Time range instead of `results`: first and last open time, in Unix seconds or ISO 8601. */
  readonly from?: number | string
  readonly to?: number | string
  /** Maximum seconds since the end of a market's newest candle. Markets with older candles are in `failed`. */
  readonly maxAge?: number
}

/** A breadth that is followed live: first the newest `results` values, then the new and changed values. */
export interface LiveBreadthRequest extends Omit<BreadthRequest, 'from' | 'to'> {
  readonly from?: never
  readonly to?: never
}

/** Values of the measures by time. */
export interface BreadthResult<Request extends BreadthRequest = BreadthRequest> {
  /** Open times of the candles in Unix seconds, oldest first. */
  readonly timestamp: readonly number[]
  /** Values of each measure, aligned with `timestamp`. */
  readonly measures: {
    readonly [Name in keyof Request['measures']]: {
      /** Number of markets that take part. */
      readonly markets: readonly number[]
      readonly value: readonly (number | null)[]
    }
  }
  /** Whether the last candle is forming and may change. */
  readonly forming: boolean
  readonly screened: number
  readonly failed: readonly { readonly symbol: string; readonly error: string }[]
  /** Markets with old candles. `age` is the seconds since the end of the newest candle. Undefined if there are none. */
  readonly stale?: readonly { readonly symbol: string; readonly age: number }[]
}

/** A named list of symbols. Requests refer to the list as `list:<name>` among their symbols. */
export interface NamedList {
  /** Name of the list. The service stores it in lower case. */
  readonly name: string
  /** Symbols of the list. A symbol such as `binance:BTCUSDT` applies to this exchange only. */
  readonly symbols: readonly string[]
}

/** A condition over the markets of an exchange, and the values to return per match. See docs/screening.md. */
export interface ScreenRequest extends Charted, MaxAge, Pick<Market, 'adjustment'> {
  readonly exchange: string
  readonly timeframe: Timeframe
  /** Symbols of the markets. Default: all symbols of the exchange. */
  readonly symbols?: readonly string[]
  /** Quote currency: selects only symbols that end with it. Together with `symbols` only if they include `top:<n>`. */
  readonly quote?: string
  /** The condition. */
  readonly where: string
  /** Expressions by name. Each match has their values. */
  readonly select?: Readonly<Record<string, string>>
  /** An expression or a name of `select`, optionally followed by `desc` or `asc`. */
  readonly orderBy?: string
  readonly limit?: number
  readonly backtrack?: number
  /**
   * Evaluates the screen at the close of the last candle that opened at this time or earlier. Unix seconds or ISO 8601.
   * Not together with `backtrack`.
   */
  readonly at?: number | string
  /**
   * Number of digits of the condition that must have settled, 1 to 8. Selected values with fewer settled digits are
   * null.
   */
  readonly settled?: number
}

/** A screen that is followed live at the forming candle. It finds all matching markets, in no particular order. */
export interface LiveScreenRequest extends Omit<ScreenRequest, 'orderBy' | 'limit' | 'backtrack' | 'at'> {
  readonly orderBy?: never
  readonly limit?: never
  readonly backtrack?: never
  readonly at?: never
}

/** Names of `select`; any text if the names are known only at run time. */
type SelectedName<Request extends ScreenRequest> = LiveScreenRequest extends Request
  ? string
  : Request extends { readonly select: infer Select }
    ? keyof Select & string
    : never

/** One market at which the condition holds. `timestamp` is the open time of its newest candle in Unix seconds. */
export type ScreenMatch<Name extends string = string> = {
  readonly symbol: string
  readonly timestamp: number
} & { readonly [Selected in Exclude<Name, 'symbol' | 'timestamp'>]: number | boolean | null }

export interface ScreenResult<Request extends ScreenRequest = ScreenRequest> {
  readonly matches: readonly ScreenMatch<SelectedName<Request>>[]
  /** Number of markets for which the condition was evaluated. */
  readonly screened: number
  readonly failed: readonly { readonly symbol: string; readonly error: string }[]
  /** Markets with old candles. `age` is the seconds since the end of the newest candle. Absent if there are none. */
  readonly stale?: readonly { readonly symbol: string; readonly age: number }[]
}

/**
 * Current matches of a live screen, and the differences from the previous update. In the first update, all matches have
 * entered. `screened` and `failed` date from the start of the connection, `stale` from the newest update.
 */
export interface ScreenUpdate<Request extends ScreenRequest = ScreenRequest> extends ScreenResult<Request> {
  readonly entered: readonly ScreenMatch<SelectedName<Request>>[]
  /** Matches whose values have changed. */
  readonly changed: readonly ScreenMatch<SelectedName<Request>>[]
  /** Symbols of markets that have stopped matching. */
  readonly left: readonly string[]
}

/** Progress of the fetch of candles for a screen: `done` of `total` markets. */
export interface ScreenProgress {
  readonly done: number
  readonly total: number
}

/** Conditions whose signals are evaluated. See docs/evaluation.md. */
interface Signals extends Charted {
  readonly entry: string
  /** Condition that ends a trade. Without `exit` there are no trades. */
  readonly exit?: string
  readonly side?: 'long' | 'short'
  /** Cost of each entry and each exit, as a share of the amount. */
  readonly fee?: number
  /** Numbers of candles after a signal at which returns are measured. */
  readonly horizons?: readonly number[]
  /** Open time of the first candle with signals, in Unix seconds or ISO 8601. Earlier candles are the warm-up. */
  readonly from?: number | string
  /** Open time of the last candle. Later candles are ignored. */
  readonly to?: number | string
  /** Number of digits of the compared values that must have settled: 0 to 8, by default 4. 0 requires none. */
  readonly settled?: number
}
export type EvaluationRequest = Signals & ((Market & MaxAge) | { readonly candles: readonly CandleInput[] })

type Interval = readonly [low: number, high: number]

/** Statistics of a sample of returns. A return of 0.01 is one per cent. */
export interface ReturnStatistics {
  readonly count: number
  readonly mean: number | null
  readonly median: number | null
  readonly standardDeviation: number | null
  readonly hitRate: number | null
  /** Confidence interval of the mean at 95 %, by Student's distribution. */
  readonly meanInterval: Interval | null
  /** Confidence interval of the hit rate at 95 %, by Wilson's score. */
  readonly hitRateInterval: Interval | null
}

/** One trade. Both prices are candle opens. The timestamps are the open times of these candles in Unix seconds. */
export interface Trade {
  readonly entryTimestamp: number
  readonly entryPrice: number
  readonly exitTimestamp: number
  readonly exitPrice: number
  /** Number of candles from entry to exit. */
  readonly candles: number
  /** Return after costs. */
  readonly return: number
}

/** Result of trading the signals, one trade at a time. The statistics cover the trades that have ended. */
export interface TradeStatistics extends ReturnStatistics {
  /** Sum of all gains divided by the sum of all losses. Null without a loss. */
  readonly profitFactor: number | null
  /** Average number of candles per trade. */
  readonly candles: number | null
  /** Share of candles with an open trade. */
  readonly exposure: number
  /** Return of all trades in sequence, including the open trade. */
  readonly totalReturn: number
  /** Return of buying (or selling) once and holding the position, without costs. */
  readonly holdReturn: number | null
  /**
   * Largest fall of the equity, as a share of the preceding peak. `from` and `to` are the open times of the candles at
   * its start and end.
   */
  readonly maximumDrawdown: { readonly share: number; readonly from: number; readonly to: number }
  /** The open trade, valued at the last close. */
  readonly open: Pick<Trade, 'entryTimestamp' | 'entryPrice' | 'return'> | null
  /** The newest trades, oldest first. */
  readonly list: readonly Trade[]
}

/** Result of an evaluation. */
export interface Evaluation {
  /** Number of closed candles at which the entry condition is defined. */
  readonly candles: number
  /** Open time of the first of these candles, in Unix seconds. `to` is the open time of the last one. */
  readonly from: number
  readonly to: number
  /** Number of times that the entry condition became true. */
  readonly fired: number
  /** Returns per horizon, without costs. */
  readonly returns: readonly {
    /** Horizon: number of candles after the signal. */
    readonly after: number
    readonly signals: ReturnStatistics
    /** Statistics over all candles, for comparison. */
    readonly baseline: ReturnStatistics
  }[]
  readonly trades?: TradeStatistics
  /**
   * Equity curve of an initial amount of 1. `timestamp` has the open times of the candles at whose close a value is
   * measured.
   */
  readonly equity?: { readonly timestamp: readonly number[]; readonly value: readonly number[] }
  readonly warnings: readonly string[]
}

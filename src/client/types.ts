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

/** A condition over markets, and where to say that it became true: see docs/alerts.md. */
export interface AlertRequest extends Omit<Market, 'symbol'>, Charted {
  /** The market; or one of the next two fields instead. */
  readonly symbol?: string
  /** The markets. Each counts as an alert. */
  readonly symbols?: readonly string[]
  /** All symbols of the exchange that end with it, such as USDT. In an alert that was made `symbols` are those. */
  readonly quote?: string
  /** The condition. */
  readonly expression: string
  /** `close` (the default): evaluated when a candle has closed. `update`: also at every change of the forming one. */
  readonly on?: 'close' | 'update'
  /** `edge` (the default): fires where the condition becomes true. `level`: at every candle where it is true. */
  readonly trigger?: 'edge' | 'level'
  /** How many digits of what the condition compares must have settled: 0 to 8, 4 by default, 0 for any. */
  readonly settled?: number
  /** The address to which messages are posted. Without it and without `email`, messages go to the streaming connections of the key that request alerts. */
  readonly webhook?: string
  /** The address to which messages are sent by e-mail, instead of a webhook, where the service is set up for that. */
  readonly email?: string
  /**
   * What the webhook is sent, by default what the messenger of its address expects. `candela`, the default of other addresses: an
   * `AlertMessage`. `json`: the template. Others: a short text, or the template, as
   * plain text or as the messenger expects it. An e-mail is `text`, the default, or `html`.
   */
  readonly format?: 'candela' | 'json' | 'text' | 'discord' | 'slack' | 'telegram' | 'ntfy' | 'html'
  /** The text that is sent, with fields of the message in braces, such as `{symbol} at {price}`. */
  readonly template?: string
  readonly name?: string
}

/** An alert as the service keeps it. */
export interface Alert extends AlertRequest {
  readonly id: string
  readonly on: 'close' | 'update'
  readonly trigger: 'edge' | 'level'
  readonly paused: boolean
  /** Unix seconds. */
  readonly created: number
  /** Candles before the first one at which the condition has settled, where it must. */
  readonly settledAfter?: number
  /** The indicator because of which the condition never settles: then it may fire at any candle. */
  readonly unsettling?: string
  /** Symbols at which the condition has not settled yet, so that nothing is fired. The list of alerts has it. */
  readonly unsettled?: readonly string[]
  /** The open time of the newest candle at which it has fired, where it has. The list of alerts has it. */
  readonly fired?: number
}

/** What became of the test of an alert. */
export interface AlertTest {
  readonly delivered: boolean
  /** Why it has not arrived. */
  readonly reason?: string
}

/** A new alert. */
export interface CreatedAlert extends Alert {
  /** The key of the signatures of its webhook, which is not shown again. */
  readonly secret?: string
}

/** What an alert has fired, as webhooks and streaming connections get it. */
export interface AlertMessage
  extends Market,
    Required<Pick<AlertRequest, 'expression' | 'on' | 'trigger'>>,
    Pick<AlertRequest, 'name' | 'chart'> {
  readonly type: 'alert'
  /** It is a test: no candle has fired it, its time is that of the test and its price is 0. */
  readonly test?: true
  /** Names the alert, the symbol where the alert is over several markets, and the candle. It is the same in each attempt to deliver the message. */
  readonly id: string
  /** The id of the alert. */
  readonly alert: string
  /** The open time of the candle in Unix seconds. */
  readonly timestamp: number
  readonly timestampHuman: string
  /** Whether the candle had closed. */
  readonly closed: boolean
  /** The close of the candle, or its last price. */
  readonly price: number
}

/** A message that could not be delivered. */
export interface DeadLetter {
  /** That of the message. */
  readonly id: string
  /** The id of the alert. */
  readonly alert: string
  /** When it was fired, and when it was given up, in Unix seconds. */
  readonly created: number
  readonly failed: number
  readonly attempts: number
  readonly reason: string
  readonly message: AlertMessage
}

/** Measures over many markets: see docs/breadth.md. */
export interface BreadthRequest extends Pick<ScreenRequest, 'exchange' | 'timeframe' | 'symbols' | 'quote'> {
  /** Expressions by name, such as `breadth(close > sma(200))`. */
  readonly measures: Readonly<Record<string, string>>
  /** How many values, the newest ones; 1 by default. */
  readonly results?: number | 'max'
  /** The values of a time instead: Unix seconds or ISO 8601. */
  readonly from?: number | string
  readonly to?: number | string
  /** Markets whose newest candle ended more seconds ago are among those that failed. */
  readonly maxAge?: number
}

/** A breadth that goes on: first the newest `results` values, then those that have come or changed. */
export interface LiveBreadthRequest extends Omit<BreadthRequest, 'from' | 'to'> {
  readonly from?: never
  readonly to?: never
}

/** The values of measures by time. */
export interface BreadthResult<Request extends BreadthRequest = BreadthRequest> {
  /** Unix seconds of candle opens, oldest first. */
  readonly timestamp: readonly number[]
  /** Aligned with `timestamp`. */
  readonly measures: {
    readonly [Name in keyof Request['measures']]: {
      /** How many markets take part. */
      readonly markets: readonly number[]
      readonly value: readonly (number | null)[]
    }
  }
  /** Whether the last candle may change. */
  readonly forming: boolean
  readonly screened: number
  readonly failed: readonly { readonly symbol: string; readonly error: string }[]
  /** Markets with old candles, whose newest one ended `age` seconds ago; undefined where there are none. */
  readonly stale?: readonly { readonly symbol: string; readonly age: number }[]
}

/** A list of symbols with a name, for `list:<name>` among the symbols of a request. */
export interface NamedList {
  /** Lower case, once it is stored. */
  readonly name: string
  /** Those with an exchange before a colon are meant of this one alone. */
  readonly symbols: readonly string[]
}

/** Which markets are wanted, and which values of each: see docs/screening.md. */
export interface ScreenRequest extends Charted, MaxAge, Pick<Market, 'adjustment'> {
  readonly exchange: string
  readonly timeframe: Timeframe
  /** The markets; without them all of the exchange. */
  readonly symbols?: readonly string[]
  /** Only symbols that end with it. Not beside `symbols`. */
  readonly quote?: string
  /** The condition. */
  readonly where: string
  /** Expressions whose values each match has, by name. */
  readonly select?: Readonly<Record<string, string>>
  /** An expression, or a name of `select`, then `desc` or `asc` or nothing. */
  readonly orderBy?: string
  readonly limit?: number
  readonly backtrack?: number
  /** The screen as it was when the candle closed that opened at this time or before it, in Unix seconds or ISO 8601. Not beside `backtrack`. */
  readonly at?: number | string
  /** How many digits of the condition must have settled, 1 to 8; selected values with fewer are null. */
  readonly settled?: number
}

/** A screen that goes on: all markets at which the condition holds, in no order, at the forming candle. */
export interface LiveScreenRequest extends Omit<ScreenRequest, 'orderBy' | 'limit' | 'backtrack' | 'at'> {
  readonly orderBy?: never
  readonly limit?: never
  readonly backtrack?: never
  readonly at?: never
}

/** The names of `select`; any where they are only known when the program runs. */
type SelectedName<Request extends ScreenRequest> = LiveScreenRequest extends Request
  ? string
  : Request extends { readonly select: infer Select }
    ? keyof Select & string
    : never

/** One market at which the condition holds; `timestamp` is the open of its newest candle in Unix seconds. */
export type ScreenMatch<Name extends string = string> = {
  readonly symbol: string
  readonly timestamp: number
} & { readonly [Selected in Exclude<Name, 'symbol' | 'timestamp'>]: number | boolean | null }

export interface ScreenResult<Request extends ScreenRequest = ScreenRequest> {
  readonly matches: readonly ScreenMatch<SelectedName<Request>>[]
  /** Markets for which the condition was evaluated. */
  readonly screened: number
  readonly failed: readonly { readonly symbol: string; readonly error: string }[]
  /** Markets whose candles are old, with the seconds since the end of the newest one; absent where there are none. */
  readonly stale?: readonly { readonly symbol: string; readonly age: number }[]
}

/**
 * What a live screen finds now, and what differs from the update before; in the first one all matches have entered.
 * `screened` and `failed` are as they were when the connection began, `stale` as it was with the newest update.
 */
export interface ScreenUpdate<Request extends ScreenRequest = ScreenRequest> extends ScreenResult<Request> {
  readonly entered: readonly ScreenMatch<SelectedName<Request>>[]
  /** Matches with other values. */
  readonly changed: readonly ScreenMatch<SelectedName<Request>>[]
  /** Symbols. */
  readonly left: readonly string[]
}

/** How far the candles of a screen are fetched: `done` of `total` markets. */
export interface ScreenProgress {
  readonly done: number
  readonly total: number
}

/** The signals of a condition: see docs/evaluation.md. */
interface Signals extends Charted {
  readonly entry: string
  /** Where it holds, a trade ends; without one there are no trades. */
  readonly exit?: string
  readonly side?: 'long' | 'short'
  /** What each entry and each exit costs, as a share of the amount. */
  readonly fee?: number
  /** After how many candles returns are measured. */
  readonly horizons?: readonly number[]
  /** Signals of candles that open at this time or later, in Unix seconds or ISO 8601; candles before are the warm-up. */
  readonly from?: number | string
  /** What came after this time is not looked at. */
  readonly to?: number | string
  /** How many digits of what the conditions compare must have settled: 0 to 8, 4 by default, 0 for any. */
  readonly settled?: number
}
export type EvaluationRequest = Signals & ((Market & MaxAge) | { readonly candles: readonly CandleInput[] })

type Interval = readonly [low: number, high: number]

/** The statistics of a sample of returns; a return of 0.01 is one per cent. */
export interface ReturnStatistics {
  readonly count: number
  readonly mean: number | null
  readonly median: number | null
  readonly standardDeviation: number | null
  readonly hitRate: number | null
  /** At 95 %, by Student's distribution. */
  readonly meanInterval: Interval | null
  /** At 95 %, by Wilson's score. */
  readonly hitRateInterval: Interval | null
}

/** One trade. Both prices are opens of candles, whose open times (Unix seconds) the timestamps are. */
export interface Trade {
  readonly entryTimestamp: number
  readonly entryPrice: number
  readonly exitTimestamp: number
  readonly exitPrice: number
  /** From entry to exit. */
  readonly candles: number
  /** After costs. */
  readonly return: number
}

/** The result of trading the signals one at a time. The statistics are over the trades that have ended. */
export interface TradeStatistics extends ReturnStatistics {
  /** What the trades gained for each 1 that they lost; null without a loss. */
  readonly profitFactor: number | null
  /** Candles that a trade took on average. */
  readonly candles: number | null
  /** The share of candles with an open trade. */
  readonly exposure: number
  /** Of all trades one after the other, the open one included. */
  readonly totalReturn: number
  /** Of buying (or selling) once and keeping it, without costs. */
  readonly holdReturn: number | null
  /** The largest fall of the equity, as a share of the value before it, with the candles of both. */
  readonly maximumDrawdown: { readonly share: number; readonly from: number; readonly to: number }
  /** The trade that has not ended, at the last close. */
  readonly open: Pick<Trade, 'entryTimestamp' | 'entryPrice' | 'return'> | null
  /** The newest ones, oldest first. */
  readonly list: readonly Trade[]
}

/** The answer to an evaluation. */
export interface Evaluation {
  /** Closed candles at which the entry is defined. */
  readonly candles: number
  /** The open times of the first and of the last of them, in Unix seconds. */
  readonly from: number
  readonly to: number
  /** How often the entry became true. */
  readonly fired: number
  /** Without costs. */
  readonly returns: readonly {
    /** Candles. */
    readonly after: number
    readonly signals: ReturnStatistics
    /** Over all candles, for comparison. */
    readonly baseline: ReturnStatistics
  }[]
  readonly trades?: TradeStatistics
  /** What 1 became, with the open times of the candles at whose close. */
  readonly equity?: { readonly timestamp: readonly number[]; readonly value: readonly number[] }
  readonly warnings: readonly string[]
}

import type * as json from '../../build/json-types.js'
import type { Immutable } from '../../build/json-types.js'
import type { Timeframe } from '../candles/timeframe.js'
import type { Description } from '../catalogue/description.js'
import type { AverageType, categories, SourceName } from '../catalogue/index.js'

export type { Description as IndicatorDescription, Timeframe }

/** A series of candles: exchange, symbol and timeframe. */
export type Market = Immutable<json.Market>

/** Filter for the list of indicators. */
export type IndicatorSearch = Immutable<json.IndicatorSearch>

/**
 * A candle that the caller supplies. `timestamp` is its open time in Unix seconds. Give it on all candles or on none.
 * Without timestamps, open times are array indices.
 */
export type CandleInput = Immutable<json.CandleInput>

/** Candles that the caller supplies, oldest first. Closes alone are enough for an indicator that reads nothing else. */
export type SuppliedCandles<Name extends IndicatorName> =
  | readonly CandleInput[]
  | (Name extends json.CloseOnlyName ? readonly number[] : never)

/** A candle of an exchange. */
export type Candle = Immutable<json.Candle>

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

/** A request that may compute over the bars of a chart. */
export type Charted = Immutable<Pick<json.Window, 'chart'>>

/** Chart type: the bars that are built from the candles before the computation. See docs/values.md. */
export type ChartName = NonNullable<Charted['chart']>

/** Reference time and maximum age of the candles of a request. */
export type AsOf = Immutable<Pick<json.Window, 'asOf' | 'maxAge'>>

/** A request that is refused if the candles are too old. */
export type MaxAge = Pick<AsOf, 'maxAge'>

/** Window of the requested values. */
export type ResultWindow = Immutable<Pick<json.Window, 'results' | 'backtrack' | 'from' | 'to' | 'chart'>>

/** Window of the requested values, and the number of settled digits that a value needs. */
export type SettledWindow = ResultWindow & Immutable<Pick<json.Window, 'settled'>>

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

/** Values of an expression. */
export type ExpressionResult = Immutable<json.ExpressionResult>
/** Properties of an expression, known without computing it. */
export type ExpressionCheck = Immutable<json.ExpressionCheck>

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
export interface VerboseResult<Name extends RequestName = IndicatorName>
  extends Immutable<Omit<json.Envelope, 'indicator' | 'result'>> {
  readonly indicator: Name
  readonly result: NamedResult<Name> | null
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
} & Immutable<Pick<json.BulkResult[string], '_error' | '_age'>> &
  (Verbose extends true ? Immutable<Pick<json.BulkResult[string], '_asset'>> : unknown)

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
export type BreadthRequest = Immutable<json.Breadth>

/** A breadth that is followed live: first the newest `results` values, then the new and changed values. */
export interface LiveBreadthRequest extends Omit<BreadthRequest, 'from' | 'to'> {
  readonly from?: never
  readonly to?: never
}

/** Values of the measures by time. */
export interface BreadthResult<Request extends BreadthRequest = BreadthRequest>
  extends Immutable<Omit<json.BreadthResult, 'measures'>> {
  /** Values of each measure, aligned with `timestamp`. */
  readonly measures: {
    readonly [Name in keyof Request['measures']]: Immutable<json.BreadthResult['measures'][string]>
  }
}

/** A named list of symbols. Requests refer to the list as `list:<name>` among their symbols. */
export type NamedList = Immutable<json.NamedList>

/** A condition over the markets of an exchange, and the values to return per match. See docs/screening.md. */
export type ScreenRequest = Immutable<json.Screen>

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

export interface ScreenResult<Request extends ScreenRequest = ScreenRequest>
  extends Immutable<Omit<json.ScreenResult, 'matches'>> {
  readonly matches: readonly ScreenMatch<SelectedName<Request>>[]
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

/** Conditions whose signals are evaluated, and a market or candles of the caller. See docs/evaluation.md. */
export type EvaluationRequest = Immutable<json.Signals> &
  ((Market & MaxAge) | { readonly candles: readonly CandleInput[] })

/** Result of an evaluation. */
export type Evaluation = Immutable<json.Evaluation>

/** Statistics of a sample of returns. A return of 0.01 is one per cent. */
export type ReturnStatistics = Immutable<json.ReturnStatistics>

/** Result of trading the signals, one trade at a time. The statistics cover the trades that have ended. */
export type TradeStatistics = NonNullable<Evaluation['trades']>

/** One trade. */
export type Trade = TradeStatistics['list'][number]

/** A condition over markets, and the target of its messages. See docs/alerts.md. */
export type AlertRequest = Immutable<json.AlertRequest>

/** An alert as the service stores it. */
export type Alert = Immutable<Omit<json.Alert, 'secret'>>

/** A newly created alert. */
export type CreatedAlert = Immutable<json.Alert>

/** Result of the test of an alert. */
export type AlertTest = Immutable<json.AlertTest>

/** Message of a fired alert, as sent to webhooks and streaming connections. */
export type AlertMessage = Immutable<json.AlertMessage>

/** A message that could not be delivered. */
export type DeadLetter = Immutable<json.DeadLetter>

import type { Candle } from '../candles/candle.js'
import type { Chart } from '../candles/charts/chart.js'
import type {
  BreadthRequest,
  BreadthResult,
  Evaluation,
  EvaluationRequest,
  OutputValue,
  ScreenProgress,
  ScreenRequest,
  ScreenResult,
} from '../client/types.js'
import type { Market } from '../contract/market.js'
import type { IndicatorSpec, LiveSpec } from '../contract/query.js'

/** The values of an indicator by output, oldest first, with the open times of their candles. */
export interface IndicatorValues {
  readonly timestamp: readonly number[]
  readonly [output: string]: readonly OutputValue[]
}

/** One state of an indicator: the values at its newest candle by output, single ones by the name of the indicator. */
export interface MarketUpdate {
  readonly closed: boolean
  readonly data: { readonly timestamp: number } & Readonly<Record<string, OutputValue>>
}

export interface FollowOptions {
  readonly closedOnly: boolean
  /** Ends the following. */
  readonly signal: AbortSignal
  readonly onUpdate: (update: MarketUpdate) => void
  /** Called with what went wrong and is being repaired. */
  readonly onNote: (text: string) => void
}

/** Where a command has candles and indicators of exchanges from. Methods throw CommandFailure, or what the service answers. */
export interface Markets {
  /** The newest candles, or bars of a chart, at most `count`, oldest first. */
  candles(market: Market, count: number, chart?: Chart): Promise<readonly Candle[]>
  /** The newest values, at most `count`. */
  values(market: Market, spec: IndicatorSpec, count: number): Promise<IndicatorValues>
  /** The markets at which a condition holds. `onProgress` is called while candles are fetched. */
  screen(request: ScreenRequest, onProgress: (progress: ScreenProgress) => void): Promise<ScreenResult>
  /** Measures over many markets, by time. `onProgress` is called while candles are fetched. */
  breadth(request: BreadthRequest, onProgress: (progress: ScreenProgress) => void): Promise<BreadthResult>
  /** What followed when a condition became true. */
  evaluate(request: EvaluationRequest): Promise<Evaluation>
  /** Calls `onUpdate` with the present values and with every change, until `signal` is aborted. */
  follow(market: Market, spec: LiveSpec, options: FollowOptions): Promise<void>
  close(): Promise<void>
}

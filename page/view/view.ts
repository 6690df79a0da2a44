import { endOf, isTimeframe, type Timeframe, timeframes } from '../../src/candles/timeframe.js'

export type { Timeframe }

/** From short to long. */
export const timeframeNames = (Object.keys(timeframes) as Timeframe[]).sort(
  (a, b) => timeframes[a] - timeframes[b],
)
/** The timeframes that have a button and a key of their own. */
export const frequentTimeframes: readonly Timeframe[] = ['1m', '5m', '15m', '1h', '4h', '1d', '1w']
export const secondsOf = (timeframe: Timeframe): number => timeframes[timeframe]
export { endOf, isTimeframe }

export interface Market {
  readonly exchange: string
  readonly symbol: string
  readonly timeframe: Timeframe
}

export type ParameterValue = string | number | boolean
export type Parameters = Readonly<Record<string, ParameterValue>>

/** An indicator on the chart with the parameters that were changed from their defaults. */
export interface Study {
  /** Unique on the chart: the indicator's name, with a number if it occurs several times. */
  readonly id: string
  readonly indicator: string
  readonly params: Parameters
  readonly isHidden: boolean
  /** Palette places that a person has chosen for its colours, in their order; -1 for the others. */
  readonly colours?: readonly number[] | undefined
  /** The chosen line width, in pixels. */
  readonly width?: number | undefined
}

/** Price scales. */
export const scales = ['linear', 'log', 'percent'] as const
export type Scale = (typeof scales)[number]
/** Styles of the market's candles. */
export const styles = ['candles', 'heikinashi', 'line', 'area'] as const
export type Style = (typeof styles)[number]

/** Contents of the chart. */
export interface View {
  readonly market: Market
  readonly studies: readonly Study[]
  /** Undefined for the first scale. */
  readonly scale?: Scale | undefined
  readonly style?: Style | undefined
  /** Symbols that the chart is compared with, as `symbolKey` writes them. */
  readonly compared?: readonly string[] | undefined
}

/** Maximum number of compared symbols. */
export const maxCompared = 4

/** Maximum number of indicators, which is that of one construct of a bulk request. */
export const maxStudies = 20

/** An exchange and a symbol as one text, whatever the timeframe: `demo:BTCUSDT`. */
export const symbolKey = ({ exchange, symbol }: Omit<Market, 'timeframe'>): string => `${exchange}:${symbol}`

/** The market of such a text; undefined if it is invalid. */
export function marketOf(key: string, timeframe: Timeframe): Market | undefined {
  const [, exchange, symbol] = /^([a-z0-9_-]{1,100}):([^:,\s]{1,100})$/.exec(key) ?? []
  return exchange === undefined || symbol === undefined ? undefined : { exchange, symbol, timeframe }
}

export const marketKey = ({ exchange, symbol, timeframe }: Market): string =>
  `${exchange}:${symbol}:${timeframe}`

/** The market as updates name it. The case of the timeframe stays, because `1M` is a month. */
export const liveKey = ({ exchange, symbol, timeframe }: Market): string =>
  `${`${exchange}:${symbol}`.toLowerCase()}:${timeframe}`

export const isSameMarket = (one: Market, other: Market): boolean => marketKey(one) === marketKey(other)

/** An id for one more study of an indicator. */
export function newStudyId(indicator: string, studies: readonly Study[]): string {
  const isTaken = (id: string) => studies.some(study => study.id === id)
  let id = indicator
  for (let n = 2; isTaken(id); n++) id = `${indicator}_${n}`
  return id
}

/** The view with one more study; unchanged if the chart is full. */
export function withStudy(view: View, indicator: string, params: Parameters = {}): View {
  if (view.studies.length >= maxStudies) return view
  const study = { id: newStudyId(indicator, view.studies), indicator, params, isHidden: false }
  return { ...view, studies: [...view.studies, study] }
}

export const withoutStudy = (view: View, id: string): View => ({
  ...view,
  studies: view.studies.filter(study => study.id !== id),
})

export const withChangedStudy = (view: View, id: string, change: Partial<Study>): View => ({
  ...view,
  studies: view.studies.map(study => (study.id === id ? { ...study, ...change } : study)),
})

/** The view of a page that was opened without a link. */
export const firstView: View = ['bbands', 'rsi'].reduce<View>(
  (view, indicator) => withStudy(view, indicator),
  { market: { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' }, studies: [] },
)

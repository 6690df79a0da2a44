import { type Parameters, type Study, secondsOf, type Timeframe } from '../view/view.js'

/** Defaults of TradingView, by indicator, where those of the service differ. docs/tradingview.md names the sources. */
export const tradingViewDefaults: Readonly<Record<string, Parameters>> = {
  cci: { period: 20 },
  cmo: { period: 9 },
  correl: { period: 20 },
  dema: { period: 9 },
  dpo: { period: 21 },
  ema: { period: 9 },
  fibonacciretracement: { trend: 'smart' },
  fisher: { period: 9 },
  hma: { period: 9 },
  linreg: { period: 25 },
  maenvelope: { percent: 10 },
  mass: { period: 10 },
  roc: { period: 9 },
  rvi: { smoothing: 'ema' },
  sma: { period: 9 },
  smi: { period: 10, firstSmooth: 3, secondSmooth: 3 },
  stoch: { kPeriod: 14, kSmooth: 1 },
  stochrsi: { kPeriod: 3 },
  supertrend: { period: 10 },
  tema: { period: 9 },
  trix: { period: 18 },
  vwap: { anchorPeriod: 'session' },
  wma: { period: 9 },
}

/** Pivot points whose anchor in the service is the day at every timeframe. */
const dailyPivots = ['pivotsclassic', 'pivotstraditional']

/** The anchor that TradingView's pivot points take at a timeframe; these indicators have no year. */
const anchorAt = (timeframe: Timeframe): string => {
  const seconds = secondsOf(timeframe)
  return seconds <= 15 * 60 ? 'day' : seconds < 24 * 60 * 60 ? 'week' : 'month'
}

/** The parameters that a new study has on the page where they differ from the defaults of the service. */
export const pageDefaults = (indicator: string, timeframe: Timeframe): Parameters =>
  dailyPivots.includes(indicator) && anchorAt(timeframe) !== 'day'
    ? { anchor: anchorAt(timeframe) }
    : (tradingViewDefaults[indicator] ?? {})

/** Studies after a change of the timeframe. An anchor that is the page's default follows the timeframe. */
export const atTimeframe = (studies: readonly Study[], from: Timeframe, to: Timeframe): readonly Study[] =>
  studies.map(study => {
    const { anchor } = pageDefaults(study.indicator, from)
    if (!dailyPivots.includes(study.indicator) || study.params.anchor !== anchor) return study
    const { anchor: _, ...params } = study.params
    return { ...study, params: { ...params, ...pageDefaults(study.indicator, to) } }
  })

import { choice, factor, indicator, period } from '../define.js'

/** Properties of the entries with a sorted window: its values, and the value that leaves next. */
const sorted = {
  inputs: ['close'],
  outputs: ['value'],
  lookback: (p: { readonly period: number }) => p.period - 1,
  state: (p: { readonly period: number }) => p.period + 3,
  memory: 'finite',
} as const

export const orderStatistics = {
  median: indicator({
    ...sorted,
    title: 'Median',
    description:
      'The middle value of the window. A single spike does not move it. It is a mean for data with errors.',
    related: ['sma', 'trimmedmean', 'percentilenearest'],
    namesElsewhere: { talib: 'MEDIAN (development)', pandasta: 'median' },
    params: { period: period(30) },
    overlay: true,
  }),
  mode: indicator({
    ...sorted,
    title: 'Mode',
    description:
      'The value that occurs most often in the window; the lowest one where all differ. For prices with many decimals nearly every value occurs once.',
    related: ['median'],
    params: { period: period(14) },
    work: p => 1.8 * p.period,
    overlay: true,
  }),
  percentilenearest: indicator({
    ...sorted,
    title: 'Percentile (nearest rank)',
    description:
      'The value of the window below which a given share of values lies, always one of them. It gives limits that outliers do not move. It moves in steps.',
    related: ['percentilelinear', 'quantile', 'median'],
    namesElsewhere: { talib: 'PERCENTILE (development)' },
    params: { period: period(15), percentage: factor(50, 0, 100) },
    overlay: true,
  }),
  percentilelinear: indicator({
    ...sorted,
    title: 'Percentile (linear interpolation)',
    description:
      'The value below which a given share of the window lies, with interpolation between two values. It gives limits that outliers do not move. In trends it lags like a mean.',
    related: ['percentilenearest', 'quantile'],
    otherNames: ['percentile'],
    namesElsewhere: { pandasta: 'quantile' },
    params: { period: period(15), percentage: factor(50, 0, 100) },
    overlay: true,
  }),
  quantile: indicator({
    ...sorted,
    title: 'Quantile',
    description:
      'The value below which a share from 0 to 1 of the window lies: the percentile as spreadsheets calculate it. It gives limits that outliers do not move. In trends it lags like a mean.',
    related: ['percentilelinear', 'median'],
    namesElsewhere: { pandasta: 'quantile' },
    params: { period: period(30), quantile: factor(0.5, 0, 1) },
    overlay: true,
  }),
  percentrank: indicator({
    title: 'Percent Rank',
    description:
      'The share of earlier values in the window that are not above the present one. It turns any column into 0 to 100. A slow rise gives 100 as a jump does.',
    related: ['rci', 'connorsrsi', 'zscore'],
    otherNames: ['ta.percentrank'],
    namesElsewhere: { talib: 'PERCENTRANK (development)', ta4j: 'PercentRank' },
    inputs: ['close'],
    params: { period: period(100, 1), compare: choice('lessorequal', 'less') },
    outputs: ['value'],
    lookback: p => p.period,
    memory: 'finite',
    scale: { minimum: 0, maximum: 100, levels: [] },
  }),
  iqr: indicator({
    ...sorted,
    title: 'Interquartile Range',
    description:
      'The distance between the upper and the lower quarter of the window. It measures dispersion without regard to extremes.',
    related: ['medianabsdev', 'stddev'],
    tier: 2,
    params: { period: period(20) },
    degree: [1, 0],
  }),
  medianabsdev: indicator({
    ...sorted,
    title: 'Median Absolute Deviation',
    description:
      'The median distance from the median. One bad value cannot change it. It suits rules against outliers.',
    related: ['avgdev', 'iqr'],
    tier: 2,
    params: { period: period(5) },
    work: p => 5 * p.period,
    degree: [1, 0],
  }),
  trimmedmean: indicator({
    ...sorted,
    title: 'Trimmed Mean',
    description:
      'The mean without the highest and the lowest share of values. It resists outliers and still uses most of the data.',
    related: ['winsorizedmean', 'median'],
    tier: 3,
    params: { period: period(20), percent: factor(10, 0, 49.999) },
    overlay: true,
  }),
  winsorizedmean: indicator({
    ...sorted,
    title: 'Winsorized Mean',
    description:
      'The mean in which extreme values are replaced by the nearest ordinary ones. It is the sibling of the trimmed mean.',
    related: ['trimmedmean', 'median'],
    tier: 3,
    params: { period: period(20), percent: factor(10, 0, 49.999) },
    overlay: true,
  }),
}

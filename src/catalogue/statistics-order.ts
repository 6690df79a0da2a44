import { choice, factor, indicator, period } from './define.js'

/** What the entries have in common that keep their window sorted: its values, and the one that leaves next. */
const sorted = {
  inputs: ['close'],
  outputs: ['value'],
  lookback: (p: { readonly period: number }) => p.period - 1,
  state: (p: { readonly period: number }) => p.period + 1,
  memory: 'finite',
} as const

export const statisticsOrder = {
  median: indicator({ ...sorted, title: 'Median', params: { period: period(30) }, overlay: true }),
  percentilenearest: indicator({
    ...sorted,
    title: 'Percentile (nearest rank)',
    params: { period: period(15), percentage: factor(50, 0, 100) },
    overlay: true,
  }),
  percentilelinear: indicator({
    ...sorted,
    title: 'Percentile (linear interpolation)',
    params: { period: period(15), percentage: factor(50, 0, 100) },
    overlay: true,
  }),
  quantile: indicator({
    ...sorted,
    title: 'Quantile',
    params: { period: period(30), quantile: factor(0.5, 0, 1) },
    overlay: true,
  }),
  iqr: indicator({ ...sorted, title: 'Interquartile Range', params: { period: period(20) }, degree: [1, 0] }),
  mode: indicator({
    ...sorted,
    title: 'Mode',
    params: { period: period(14) },
    work: p => 1.8 * p.period,
    overlay: true,
  }),
  medianabsdev: indicator({
    ...sorted,
    title: 'Median Absolute Deviation',
    params: { period: period(5) },
    work: p => 5 * p.period,
    degree: [1, 0],
  }),
  percentrank: indicator({
    title: 'Percent Rank',
    inputs: ['close'],
    params: { period: period(100, 1), compare: choice('lessorequal', 'less') },
    outputs: ['value'],
    lookback: p => p.period,
    memory: 'finite',
  }),
  trimmedmean: indicator({
    ...sorted,
    title: 'Trimmed Mean',
    params: { period: period(20), percent: factor(10, 0, 49.999) },
    overlay: true,
  }),
  winsorizedmean: indicator({
    ...sorted,
    title: 'Winsorized Mean',
    params: { period: period(20), percent: factor(10, 0, 49.999) },
    overlay: true,
  }),
}

import type { Snapshot } from '../columns.js'
import { BarSeries } from './bar-series.js'
import type { Chart } from './chart.js'

/**
 * The bars of a chart over candles, in the place of these: the same object for as long as nothing has changed. Those of a
 * series in memory grow with it. Without a chart they are the candles.
 */
export function barsOf(chart: Chart | undefined, source: Snapshot): Snapshot {
  return chart === undefined ? source : takeBars(chart, source, seriesOf(chart, source))
}

const takeBars = (chart: Chart, source: Snapshot, series: BarSeries): Snapshot =>
  series.of(source) ?? (new BarSeries(chart, source).of(source) as Snapshot)

/** Candles of which bars are made without a turn of the event loop in between: 1 to 3 ms. */
const candlesPerStep = 1000

/** The same in steps, where many candles are not included in the bars yet. */
export function* barSteps(chart: Chart | undefined, source: Snapshot): Generator<void, Snapshot, void> {
  if (chart === undefined) return source
  const series = seriesOf(chart, source)
  while (series.include(source, candlesPerStep)) yield
  return takeBars(chart, source, series)
}

/** Whether few candles are not included in the bars yet, so that these are made at once. */
export const areBarsAtHand = (chart: Chart | undefined, source: Snapshot): boolean =>
  chart === undefined || (knownOf(chart, source)?.lacks(source) ?? source.closed) <= candlesPerStep

/** The bars that grow with the columns of a series, where they were made before. */
function knownOf(chart: Chart, { columns: { id, lineage, isShared } }: Snapshot): BarSeries | undefined {
  // Candles of a single request are not asked about again.
  const known = isShared ? (lineage.find(chart.text) as BarSeries | undefined) : undefined
  return known?.sourceId === id ? known : undefined
}

/** The bars that grow with a series; those of candles of a single request, or that others have replaced, do not stay. */
function seriesOf(chart: Chart, source: Snapshot): BarSeries {
  const { id, lineage, isShared } = source.columns
  const known = knownOf(chart, source)
  if (known) lineage.use(known)
  if (known || !isShared) return known ?? new BarSeries(chart, source)
  const replaced = lineage.find(chart.text) as BarSeries | undefined
  if (replaced && replaced.sourceId > id) return new BarSeries(chart, source)
  const series = new BarSeries(chart, source, replaced)
  lineage.keep(chart.text, series, replaced)
  return series
}

import type { Inputs, Snapshot } from '../columns.js'
import { BarSeries } from './bar-series.js'
import type { Chart } from './chart.js'

/**
 * Returns the bars of a chart over candles; without a chart, the candles themselves. The bars are the same object until the
 * candles change. The bars of a series in memory grow with the series. A chart has no other markets.
 */
export function barsOf(chart: Chart | undefined, inputs: Inputs): Inputs {
  if (chart === undefined) return inputs
  const [source] = inputs
  return [takeBars(chart, source, seriesOf(chart, source))]
}

const takeBars = (chart: Chart, source: Snapshot, series: BarSeries): Snapshot =>
  series.of(source) ?? (new BarSeries(chart, source).of(source) as Snapshot)

/** Number of candles processed in one turn of the event loop: 1 to 3 ms of work. */
const candlesPerStep = 1000

/** Incremental form of `barsOf`, for bars that lack many candles. */
export function* barSteps(chart: Chart | undefined, inputs: Inputs): Generator<void, Inputs, void> {
  if (chart === undefined) return inputs
  const [source] = inputs
  const series = seriesOf(chart, source)
  while (series.include(source, candlesPerStep)) yield
  return [takeBars(chart, source, series)]
}

/** Whether the bars lack few candles, so that they can be computed in the present turn of the event loop. */
export const areBarsAtHand = (chart: Chart | undefined, [source]: Inputs): boolean =>
  chart === undefined || (knownOf(chart, source)?.lacks(source) ?? source.closed) <= candlesPerStep

/** Existing bars that grow with the columns of a series. */
function knownOf(chart: Chart, { columns: { id, lineage, isShared } }: Snapshot): BarSeries | undefined {
  // Bars of a single request are not needed again.
  const known = isShared ? (lineage.find(chart.text) as BarSeries | undefined) : undefined
  return known?.sourceId === id ? known : undefined
}

/** Finds or creates the bars of a series. Bars of a single request, and bars of replaced candles, are not kept. */
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

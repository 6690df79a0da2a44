import type { Snapshot } from '../columns.js'
import { BarSeries } from './bar-series.js'
import type { Chart } from './chart.js'

/**
 * The bars of a chart over candles, in the place of these: the same object for as long as nothing has changed. Those of a
 * series in memory grow with it. Without a chart they are the candles.
 */
export function barsOf(chart: Chart | undefined, source: Snapshot): Snapshot {
  if (chart === undefined) return source
  // Candles of a single request are not asked about again.
  const known = source.columns.isShared ? seriesOf(chart, source) : undefined
  return known?.of(source) ?? (new BarSeries(chart, source).of(source) as Snapshot)
}

/** The bars that grow with a series; undefined where the candles of the source were replaced by others. */
function seriesOf(chart: Chart, source: Snapshot): BarSeries | undefined {
  const { id, lineage } = source.columns
  const known = lineage.find(chart.text) as BarSeries | undefined
  if (known && known.sourceId > id) return undefined
  if (known?.sourceId === id) {
    lineage.use(known)
    return known
  }
  const series = new BarSeries(chart, source, known)
  lineage.keep(chart.text, series, known)
  return series
}

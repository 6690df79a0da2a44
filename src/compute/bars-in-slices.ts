import { areBarsAtHand, barSteps, barsOf } from '../candles/charts/bars.js'
import type { Chart } from '../candles/charts/chart.js'
import type { Snapshot } from '../candles/columns.js'
import { finishInSlices } from '../runtime/resumable.js'

/** Bars of a chart: immediately if few candles are new to them, else computed over several turns of the event loop. */
export const barsInSlices = (chart: Chart | undefined, source: Snapshot): Snapshot | Promise<Snapshot> =>
  areBarsAtHand(chart, source) ? barsOf(chart, source) : finishInSlices('charts', barSteps(chart, source))

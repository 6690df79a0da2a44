import type { ISeriesApi, SeriesType } from 'lightweight-charts'
import type { Drawing } from '../view/drawings.js'
import type { CandleChart } from './candle-chart.js'
import { DrawingArea } from './drawing-area.js'
import { type DrawingHit, drawingAt } from './drawing-shape.js'

/** Drawings of a person, each in its pane. */
export class DrawingLayer {
  readonly #chart: CandleChart
  /** The drawings of a pane belong to its first series, and are removed with it. */
  readonly #areas = new Map<ISeriesApi<SeriesType>, DrawingArea>()

  constructor(chart: CandleChart) {
    this.#chart = chart
  }

  /** Draws exactly these drawings, except those in panes of studies that are not on the chart. */
  set(drawings: readonly Drawing[], selected: string | undefined): void {
    const series = new Set(drawings.flatMap(({ study }) => this.#chart.seriesOf(study) ?? []))
    for (const each of series) if (!this.#areas.has(each)) this.#attach(each)
    const isThere = new Set([this.#chart.candles, ...this.#chart.seriesOfStudies])
    for (const [each, area] of this.#areas) {
      if (!isThere.has(each)) this.#areas.delete(each)
      area.drawings = drawings.filter(({ study }) => this.#chart.seriesOf(study) === each)
      area.selected = selected
      if (isThere.has(each)) area.update()
    }
  }

  #attach(series: ISeriesApi<SeriesType>): void {
    const area = new DrawingArea(
      () => this.#chart.data,
      () => this.#chart.colours,
    )
    series.attachPrimitive(area)
    this.#areas.set(series, area)
  }

  /** The drawing at a place of the pane of a study, or of the candles, in pixels. */
  at(study: string | undefined, x: number, y: number): DrawingHit | undefined {
    const series = this.#chart.seriesOf(study)
    const area = series && this.#areas.get(series)
    return area && drawingAt([x, y], area.placed)
  }
}

import { type IPriceLine, type ISeriesApi, LineStyle, type SeriesType } from 'lightweight-charts'
import type { Level } from '../view/levels.js'
import type { CandleChart } from './candle-chart.js'

interface Drawn {
  readonly series: ISeriesApi<SeriesType>
  readonly line: IPriceLine
}

/** The levels of a person as lines across their panes. */
export class LevelLines {
  readonly #chart: CandleChart
  readonly #drawn = new Map<string, Drawn>()

  constructor(chart: CandleChart) {
    this.#chart = chart
  }

  /** Draws exactly these levels; those in the pane of a study that is not on the chart are not drawn. */
  set(levels: readonly Level[]): void {
    for (const [id, { series, line }] of this.#drawn) {
      const level = levels.find(each => each.id === id)
      // The lines of a study that was removed went with its series.
      if (level && this.#seriesOf(level) === series) continue
      if (series === this.#chart.candles) series.removePriceLine(line)
      else if (level === undefined && this.#isThere(series)) series.removePriceLine(line)
      this.#drawn.delete(id)
    }
    for (const level of levels) this.#draw(level)
  }

  #draw(level: Level): void {
    const series = this.#seriesOf(level)
    if (!series) return
    const { id, value } = level
    const known = this.#drawn.get(id)
    if (known) known.line.applyOptions({ price: value })
    else {
      const options = {
        price: value,
        color: this.#chart.levelColour,
        lineWidth: 1,
        lineStyle: LineStyle.Solid,
      } as const
      this.#drawn.set(id, { series, line: series.createPriceLine({ ...options, axisLabelVisible: true }) })
    }
  }

  #seriesOf({ study }: Level): ISeriesApi<SeriesType> | undefined {
    return study === undefined ? this.#chart.candles : this.#chart.studies.get(study)?.firstSeries
  }

  #isThere(series: ISeriesApi<SeriesType>): boolean {
    return [...this.#chart.studies.values()].some(study => study.firstSeries === series)
  }
}

import type { UTCTimestamp } from 'lightweight-charts'
import { type Candle, indexAt } from '../model/rows.js'
import type { CandleChart } from './candle-chart.js'
import { timeOfPlace } from './time-places.js'

export interface ChartPlace {
  /** The study of the pane; undefined in the pane of the candles. */
  readonly study: string | undefined
  readonly value: number | undefined
  /** The open time of the candle there, which may lie before or behind all loaded candles. */
  readonly time: number
  /** Pixels from the top of its pane. */
  readonly y: number
}

/** The crosshair as keys move it, and the contents of a place of the chart. */
export class Cursor {
  readonly #chart: CandleChart
  /** The candle that keys have moved the crosshair to. */
  #candle: Candle | undefined

  constructor(chart: CandleChart) {
    this.#chart = chart
  }

  /** Moves the crosshair by candles, starting from the newest one if it is hidden. Returns its new time. */
  step(by: number, from: number | undefined): number | undefined {
    const { api, data, candles } = this.#chart
    const at = from === undefined ? data.length - 1 + Math.min(0, by + 1) : indexAt(data, from) + by
    const candle = data[Math.min(data.length - 1, Math.max(0, at))]
    if (!candle) return undefined
    this.#candle = candle
    api.setCrosshairPosition(candle.close, candle.timestamp as UTCTimestamp, candles)
    const scale = api.timeScale()
    const x = scale.timeToCoordinate(candle.timestamp as UTCTimestamp)
    if (x !== null && (x < 0 || x > scale.width()))
      scale.scrollToPosition(scale.scrollPosition() + (x < 0 ? -20 : 20), false)
    return candle.timestamp
  }

  /** Position of the crosshair, or else of the newest candle, in pixels from the top left corner of the chart. */
  get position(): { readonly x: number; readonly y: number } {
    const { api, data, candles } = this.#chart
    const candle = this.#candle ?? data.at(-1)
    const x = candle && api.timeScale().timeToCoordinate(candle.timestamp as UTCTimestamp)
    return { x: x ?? 0, y: (candle && candles.priceToCoordinate(candle.close)) ?? 0 }
  }

  /** The chart place of a point in pixels from the top left corner of the chart. */
  placeAt(x: number, y: number): ChartPlace {
    const { api, data, studies } = this.#chart
    const place = api.timeScale().coordinateToLogical(x) ?? 0
    const panes = api.panes()
    let [pane, top] = [0, 0]
    // One pixel separates two panes.
    for (; pane < panes.length - 1 && y > top + (panes[pane]?.getHeight() ?? 0); pane++)
      top += (panes[pane]?.getHeight() ?? 0) + 1
    const own = pane > 0 ? [...studies].find(([id]) => this.#chart.paneOf(id) === pane) : undefined
    const study = own?.[0]
    const value = this.#chart.seriesOf(study)?.coordinateToPrice(y - top) ?? undefined
    return { study, value, time: timeOfPlace(data, place), y: y - top }
  }

  /** The place of the crosshair, or else the newest candle and its close. */
  get place(): ChartPlace {
    const { x, y } = this.position
    return this.placeAt(x, y)
  }

  /** Moves the crosshair to a place. */
  moveTo({ study, value, time }: ChartPlace): void {
    const series = this.#chart.seriesOf(study)
    if (series && value !== undefined)
      this.#chart.api.setCrosshairPosition(value, time as UTCTimestamp, series)
  }

  /** Rounds a value to the precision of its pane. */
  round(study: string | undefined, value: number): number {
    return study === undefined ? Number(value.toFixed(this.#chart.decimals)) : Number(value.toPrecision(4))
  }

  zoom(factor: number): void {
    const scale = this.#chart.api.timeScale()
    scale.applyOptions({ barSpacing: Math.min(60, Math.max(0.5, scale.options().barSpacing * factor)) })
  }
}

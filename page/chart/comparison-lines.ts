import { type IChartApi, type ISeriesApi, LineSeries, type UTCTimestamp } from 'lightweight-charts'
import type { ComparedClose } from '../model/comparison.js'
import type { SlotTable } from './slots.js'

const pointOf = ({ timestamp, close }: ComparedClose) => ({
  time: timestamp as UTCTimestamp,
  ...(close === undefined ? {} : { value: close }),
})

/** The closes of other markets over the candles. On the per-cent scale all of them begin at the left edge with 0. */
export class ComparisonLines {
  readonly #api: IChartApi
  readonly #slots: SlotTable
  readonly #palette: () => readonly string[]
  readonly #lines = new Map<string, ISeriesApi<'Line'>>()

  constructor(api: IChartApi, slots: SlotTable, palette: () => readonly string[]) {
    this.#api = api
    this.#slots = slots
    this.#palette = palette
  }

  /** Draws the closes of a market, or only the newest close if nothing else has changed. */
  set(key: string, closes: readonly ComparedClose[], isLive: boolean): void {
    const known = this.#lines.get(key)
    const newest = closes.at(-1)
    if (known && newest && isLive) {
      known.update(pointOf(newest))
      return
    }
    const options = {
      lineWidth: 2,
      baseLineVisible: false,
      priceLineVisible: false,
      crosshairMarkerVisible: false,
    } as const
    const series = known ?? this.#api.addSeries(LineSeries, options)
    this.#slots.take(key, 'price', 1)
    this.#lines.set(key, series)
    series.applyOptions({ color: this.colourOf(key) })
    series.setData(closes.map(pointOf))
  }

  /** Removes the lines of all markets but these. */
  keep(keys: readonly string[]): void {
    for (const [key, series] of this.#lines)
      if (!keys.includes(key)) {
        this.#api.removeSeries(series)
        this.#lines.delete(key)
        this.#slots.free(key)
      }
  }

  colourOf(key: string): string {
    const palette = this.#palette()
    return palette[(this.#slots.of(key)[0] ?? 0) % palette.length] as string
  }

  setColours(): void {
    for (const [key, series] of this.#lines) series.applyOptions({ color: this.colourOf(key) })
  }
}

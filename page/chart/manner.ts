import {
  AreaSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  PriceScaleMode,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { Candle } from '../model/rows.js'
import type { Scale, Style } from '../view/view.js'

const modes: Readonly<Record<Scale, PriceScaleMode>> = {
  linear: PriceScaleMode.Normal,
  log: PriceScaleMode.Logarithmic,
  percent: PriceScaleMode.Percentage,
}

/** Sets the price scale of the candles. New panes copy the scale of the first pane. */
export function setScale(api: IChartApi, scale: Scale): void {
  for (const at of api.panes().keys())
    api.priceScale('right', at).applyOptions({ mode: at === 0 ? modes[scale] : PriceScaleMode.Normal })
}

/**
 * Heikin-Ashi candles: the close is the mean of the four prices, the open the middle of the Heikin-Ashi candle before.
 * Source: D. Valcu, Using the Heikin-Ashi Technique, Technical Analysis of Stocks & Commodities, February 2004.
 */
export function heikinAshi(candles: readonly Candle[]): readonly Candle[] {
  let before: Candle | undefined
  return candles.map(candle => {
    const open = before ? (before.open + before.close) / 2 : (candle.open + candle.close) / 2
    const close = (candle.open + candle.high + candle.low + candle.close) / 4
    before = {
      ...candle,
      open,
      close,
      high: Math.max(candle.high, open, close),
      low: Math.min(candle.low, open, close),
    }
    return before
  })
}

/** The closes as a line or an area, instead of candles. */
export class CloseLine {
  readonly #api: IChartApi
  #series: ISeriesApi<'Line'> | ISeriesApi<'Area'> | undefined

  constructor(api: IChartApi) {
    this.#api = api
  }

  /** Draws the closes in a style; draws nothing in a candle style. */
  set(style: Style, candles: readonly Candle[], colour: string): void {
    if (this.#series) this.#api.removeSeries(this.#series)
    this.#series = undefined
    if (style !== 'line' && style !== 'area') return
    const options = {
      lineWidth: 2,
      crosshairMarkerVisible: false,
    } as const
    this.#series =
      style === 'line'
        ? this.#api.addSeries(LineSeries, { ...options, color: colour })
        : this.#api.addSeries(AreaSeries, {
            ...options,
            lineColor: colour,
            topColor: `${colour}40`,
            bottomColor: `${colour}08`,
          })
    this.#series.setData(
      candles.map(({ timestamp, close }) => ({ time: timestamp as UTCTimestamp, value: close })),
    )
  }

  update({ timestamp, close }: Candle): void {
    this.#series?.update({ time: timestamp as UTCTimestamp, value: close })
  }
}

import type { IChartApi, ISeriesApi, SeriesType, Time, UTCTimestamp } from 'lightweight-charts'
import type { Description } from '../model/catalogue.js'
import type { Candle, StudyRow } from '../model/rows.js'
import type { Parameters } from '../view/view.js'
import { formatValue } from './numbers.js'
import type { Shape, Side } from './shape.js'

/** What the layers of a study share. */
export interface Canvas {
  readonly chart: IChartApi
  readonly candleSeries: ISeriesApi<'Candlestick'>
  readonly candles: () => readonly Candle[]
  readonly description: Description
  readonly params: () => Parameters
  /** Lines are dotted before this time, in Unix seconds: their values depend on where the history begins. */
  readonly settledFrom: () => number | undefined
  /** Of the candles' prices, and of the values of the study. */
  readonly priceDecimals: number
  readonly decimals: number
  readonly ownPane: number
  /** A colour as the style sheet has it now. */
  readonly colourOf: (colour: Shape['colour']) => string
  readonly sideColour: (side: Side) => string
  /** The width that was chosen for lines; undefined for the usual one. */
  readonly lineWidth: () => number | undefined
  /** Whether lines of a colour are dashed, because another study of the pane has the same. */
  readonly isDashed: (colour: Shape['colour']) => boolean
}

/** One shape of a study on the chart. */
export interface Layer {
  readonly shape: Shape
  /** What the pane of the study is made by; none where the shape is an area behind the series of others. */
  readonly series?: ISeriesApi<SeriesType>
  setRows(rows: readonly StudyRow[]): void
  /** The newest row, which is in `rows` already, has changed or was appended. */
  setRow(row: StudyRow, before: StudyRow | undefined): void
  setColours(): void
  setHidden(isHidden: boolean): void
  remove(): void
}

/** The time of a row, as the library wants it. */
export const timeOf = ({ timestamp }: StudyRow) => timestamp as UTCTimestamp as Time
/** The number of a row at a place; undefined where there is none. */
export const numberAt = (row: StudyRow | undefined, place: number): number | undefined => {
  const value = row?.values[place]
  return typeof value === 'number' ? value : undefined
}

/** What all series of studies have in common. */
export function seriesOptions({ priceDecimals, decimals }: Canvas, { pane, kind }: Shape) {
  const digits = pane === 'price' ? priceDecimals : decimals
  return {
    priceLineVisible: false,
    crosshairMarkerVisible: false,
    lastValueVisible: pane === 'own' && kind !== 'dots',
    priceFormat: {
      type: 'custom',
      formatter: (value: number) => formatValue(value, digits),
      minMove: 10 ** -digits,
    },
  } as const
}

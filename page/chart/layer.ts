import type { IChartApi, ISeriesApi, SeriesType, Time, UTCTimestamp } from 'lightweight-charts'
import type { Description } from '../model/catalogue.js'
import type { Candle, StudyRow } from '../model/rows.js'
import type { Parameters } from '../view/view.js'
import { formatValue } from './numbers.js'
import type { Shape, Side } from './shape.js'

/** State shared by the layers of a study. */
export interface Canvas {
  readonly chart: IChartApi
  readonly candleSeries: ISeriesApi<'Candlestick'>
  readonly candles: () => readonly Candle[]
  readonly description: Description
  readonly params: () => Parameters
  /** Lines are dotted before this time, in Unix seconds: their values depend on where the history begins. */
  readonly settledFrom: () => number | undefined
  /** Decimals of the market's prices, which the picture shows as prices of the study. */
  readonly priceDecimals: number
  readonly decimals: number
  readonly ownPane: number
  /** A colour of the current style sheet. */
  readonly colourOf: (colour: Shape['colour']) => string
  readonly sideColour: (side: Side) => string
  /** The chosen line width; undefined for the usual one. */
  /** Colour of the chart behind everything. */
  readonly background: () => string
  readonly lineWidth: () => number | undefined
  /** Whether lines of a colour are dashed, because another study of the pane has the same colour. */
  readonly isDashed: (colour: Shape['colour']) => boolean
}

/** One shape of a study on the chart. */
export interface Layer {
  readonly shape: Shape
  /** The series that creates the pane of the study; none if the shape is an area behind other series. */
  readonly series?: ISeriesApi<SeriesType>
  setRows(rows: readonly StudyRow[]): void
  /** Called when the newest row, which is in `rows` already, was changed or appended. */
  setRow(row: StudyRow, before: StudyRow | undefined): void
  setColours(): void
  setHidden(isHidden: boolean): void
  remove(): void
}

/** The time of a row as the library's type. */
export const timeOf = ({ timestamp }: StudyRow) => timestamp as UTCTimestamp as Time
/** The number of a row at a place; undefined if it is missing. */
export const numberAt = (row: StudyRow | undefined, place: number): number | undefined => {
  const value = row?.values[place]
  return typeof value === 'number' ? value : undefined
}

/** Options that all series of studies share. */
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

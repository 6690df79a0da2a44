import {
  type AutoscaleInfo,
  CandlestickSeries,
  HistogramSeries,
  type ISeriesApi,
  type SeriesType,
} from 'lightweight-charts'
import type { StudyRow } from '../model/rows.js'
import { withOpacity } from './colours.js'
import { type Canvas, type Layer, numberAt, seriesOptions, timeOf } from './layer.js'
import { formatValue } from './numbers.js'
import { candleAt, levelLabel, placeOf, type Shape, type Side, shiftOf, sideOfRow } from './shape.js'
import { type LineKind, StudyLine, type StudyLineOptions } from './study-line.js'

/** A shape that is a series of the library. */
abstract class SeriesLayer implements Layer {
  abstract readonly series: ISeriesApi<SeriesType>

  constructor(
    readonly shape: Shape,
    readonly canvas: Canvas,
  ) {}

  abstract setRows(rows: readonly StudyRow[]): void
  abstract setRow(row: StudyRow, before: StudyRow | undefined): void
  abstract setColours(): void

  setHidden(isHidden: boolean): void {
    this.series.applyOptions({ visible: !isHidden })
  }

  remove(): void {
    this.canvas.chart.removeSeries(this.series)
  }
}

/** A line, a stepped line, a level or dots of one output, or of a price of the candles. */
export class LineLayer extends SeriesLayer {
  readonly series: ISeriesApi<'Custom'>
  readonly #place: number
  /** Whether the line is an edge of an area. */
  readonly #isBound: boolean
  #rows: readonly StudyRow[] = []

  constructor(
    shape: Shape,
    canvas: Canvas,
    readonly output: string,
    /** Opacity of the line: lines of a ribbon are paler and paler. */
    readonly opacity: number,
  ) {
    super(shape, canvas)
    const { chart, description, ownPane } = canvas
    this.#place = placeOf(description, output)
    const { kind, pane } = shape
    // A level far away must not flatten the candles.
    const isFree = (kind === 'level' || kind === 'trendline') && pane === 'price'
    this.#isBound = description.drawing.some(other => other.kind === 'area' && other.outputs.includes(output))
    this.series = chart.addCustomSeries(
      new StudyLine(),
      {
        ...seriesOptions(canvas, shape),
        kind: kind as LineKind,
        ...(pane === 'price' ? { base: canvas.candleSeries } : {}),
        ...(isFree ? { autoscaleInfoProvider: (): AutoscaleInfo | null => null } : {}),
      },
      pane === 'own' ? ownPane : 0,
    )
  }

  /** The library's type of options of a custom series does not have those of its own. */
  #look(options: Partial<StudyLineOptions>): void {
    this.series.applyOptions(options)
  }

  setRows(rows: readonly StudyRow[]): void {
    this.#rows = rows
    this.#look({ shift: shiftOf(this.shape, this.canvas.description, this.canvas.params()) })
    this.series.setData(rows.map((row, at) => this.#point(row, rows[at - 1])))
    this.#showLabel()
  }

  setRow(row: StudyRow, before: StudyRow | undefined): void {
    this.series.update(this.#point(row, before), false)
    this.#showLabel()
  }

  /** Hides the label of a level that is not valid. */
  #showLabel(): void {
    if (this.shape.kind !== 'level' && this.shape.kind !== 'trendline') return
    const value = numberAt(this.#rows.at(-1), this.#place)
    const name = levelLabel(this.shape, this.output)
    const isPriced = this.shape.kind === 'level' && this.shape.pane === 'price' && name !== ''
    const price = isPriced && value !== undefined ? `  ${formatValue(value, this.canvas.priceDecimals)}` : ''
    this.#look({ label: value === undefined ? '' : `${name}${price}` })
  }

  #point(row: StudyRow, before: StudyRow | undefined) {
    const time = timeOf(row)
    const { shape, canvas } = this
    const candle =
      shape.price || shape.colouring === 'side' ? candleAt(canvas.candles(), row.timestamp) : undefined
    const value = shape.price ? candle?.[shape.price] : this.#valueAt(row)
    if (value === undefined) return { time }
    const side =
      this.#sideOfState(row) ??
      sideOfRow(shape, canvas.description, value, row, numberAt(before, this.#place), candle)
    return {
      time,
      value: shape.colouring === 'amount' ? Math.abs(value) : value,
      ...(side === undefined ? {} : { side }),
      ...(row.timestamp < (canvas.settledFrom() ?? 0) ? { isUnsettled: true } : {}),
    }
  }

  /** Flags and texts lie on the line 0. */
  #valueAt(row: StudyRow): number | undefined {
    const value = row.values[this.#place]
    return typeof value === 'boolean' || typeof value === 'string' ? 0 : numberAt(row, this.#place)
  }

  /** A state is up while it rests, and down while it is set. */
  #sideOfState(row: StudyRow): Side | undefined {
    const value = row.values[this.#place]
    if (typeof value === 'boolean') return value ? -1 : 1
    if (typeof value !== 'string') return undefined
    return value === 'none'
      ? 1
      : value === this.canvas.description.outputs[this.#place]?.labels?.at(-1)
        ? -1
        : 0
  }

  setColours(): void {
    const { canvas, shape } = this
    const [color, upColour, downColour] = [
      canvas.colourOf(shape.colour),
      canvas.sideColour(1),
      canvas.sideColour(-1),
    ].map(colour => (this.opacity < 1 ? withOpacity(colour, this.opacity) : colour)) as [
      string,
      string,
      string,
    ]
    const isThin = shape.kind === 'level' || shape.kind === 'trendline' || this.#isBound
    this.#look({
      color,
      upColour,
      downColour,
      background: canvas.background(),
      lineWidth: canvas.lineWidth() ?? (isThin ? 1.25 : 1.75),
      dash: canvas.isDashed(shape.colour) ? [6, 3] : [],
    })
  }
}

/** Bars of one output, from 0 on. */
export class BarLayer extends SeriesLayer {
  readonly series: ISeriesApi<'Histogram'>
  readonly #place: number
  #rows: readonly StudyRow[] = []

  constructor(shape: Shape, canvas: Canvas, output: string) {
    super(shape, canvas)
    this.#place = placeOf(canvas.description, output)
    const pane = shape.pane === 'own' ? canvas.ownPane : 0
    this.series = canvas.chart.addSeries(HistogramSeries, { ...seriesOptions(canvas, shape), base: 0 }, pane)
  }

  setRows(rows: readonly StudyRow[]): void {
    this.#rows = rows
    this.series.setData(rows.map((row, at) => this.#point(row, rows[at - 1])))
  }

  setRow(row: StudyRow, before: StudyRow | undefined): void {
    this.series.update(this.#point(row, before))
  }

  #point(row: StudyRow, before: StudyRow | undefined) {
    const value = numberAt(row, this.#place)
    if (value === undefined) return { time: timeOf(row) }
    const { shape, canvas } = this
    const last = numberAt(before, this.#place)
    const side = sideOfRow(shape, canvas.description, value, row, last, undefined)
    const isWeaker =
      shape.colouring === 'signAndChange' && last !== undefined && Math.abs(value) < Math.abs(last)
    const colour = side === undefined ? canvas.colourOf(shape.colour) : canvas.sideColour(side)
    return {
      time: timeOf(row),
      value: shape.colouring === 'amount' ? Math.abs(value) : value,
      color: withOpacity(colour, isWeaker ? 0.4 : 0.8),
    }
  }

  setColours(): void {
    this.setRows(this.#rows)
  }
}

/** Candles of an indicator. */
export class CandleLayer extends SeriesLayer {
  readonly series: ISeriesApi<'Candlestick'>

  constructor(shape: Shape, canvas: Canvas) {
    super(shape, canvas)
    const pane = shape.pane === 'own' ? canvas.ownPane : 0
    this.series = canvas.chart.addSeries(
      CandlestickSeries,
      { ...seriesOptions(canvas, shape), borderVisible: false },
      pane,
    )
  }

  setRows(rows: readonly StudyRow[]): void {
    this.series.setData(rows.map(row => this.#point(row)))
  }

  setRow(row: StudyRow): void {
    this.series.update(this.#point(row))
  }

  #point(row: StudyRow) {
    const [open, high, low, close] = this.shape.outputs.map(output =>
      numberAt(row, placeOf(this.canvas.description, output)),
    )
    if (open === undefined || high === undefined || low === undefined || close === undefined)
      return { time: timeOf(row) }
    return { time: timeOf(row), open, high, low, close }
  }

  setColours(): void {
    const [up, down] = [this.canvas.sideColour(1), this.canvas.sideColour(-1)]
    this.series.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down })
  }
}

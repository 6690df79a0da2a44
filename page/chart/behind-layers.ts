import type { ISeriesApi, SeriesType } from 'lightweight-charts'
import { shortTitle } from '../model/catalogue.js'
import type { StudyRow } from '../model/rows.js'
import { Boxes, Fill, Strokes } from './areas.js'
import { type Canvas, type Layer, numberAt } from './layer.js'
import { formatValue } from './numbers.js'
import { placeOf, type Shape, type Side, shiftOf, sideOfOutput } from './shape.js'
import { breaksOf, retracementOf, segmentsOf, spansOf } from './strokes.js'
import { fromTheirCandles, zonesOf } from './zones.js'

/** Something painted behind the series of a pane: areas, boxes and straight lines. */
abstract class BehindLayer<Painted extends Fill | Boxes | Strokes> implements Layer {
  #rows: readonly StudyRow[] = []
  #isHidden = false

  constructor(
    readonly shape: Shape,
    readonly canvas: Canvas,
    readonly painted: Painted,
    /** The series whose pane and scale are used. */
    readonly base: ISeriesApi<SeriesType>,
  ) {
    base.attachPrimitive(painted)
  }

  protected abstract show(rows: readonly StudyRow[]): void
  abstract setColours(): void

  setRows(rows: readonly StudyRow[]): void {
    this.#rows = rows
    this.show(this.#isHidden ? [] : rows)
    this.painted.update()
  }

  setRow(): void {
    this.setRows(this.#rows)
  }

  setHidden(isHidden: boolean): void {
    this.#isHidden = isHidden
    this.setRows(this.#rows)
  }

  remove(): void {
    this.base.detachPrimitive(this.painted)
  }
}

/** The area between two outputs. */
export class AreaLayer extends BehindLayer<Fill> {
  constructor(shape: Shape, canvas: Canvas, base: ISeriesApi<SeriesType>) {
    const [first = '', second = ''] = shape.outputs
    const { description } = canvas
    super(shape, canvas, new Fill(placeOf(description, first), placeOf(description, second)), base)
  }

  protected show(rows: readonly StudyRow[]): void {
    this.painted.shift = shiftOf(this.shape, this.canvas.description, this.canvas.params())
    this.painted.rows = rows
  }

  setColours(): void {
    const { canvas, shape } = this
    this.painted.colours =
      shape.kind === 'cloud' ? [canvas.sideColour(1), canvas.sideColour(-1)] : [canvas.colourOf(shape.colour)]
  }
}

/** Zones as boxes. */
export class ZoneLayer extends BehindLayer<Boxes> {
  constructor(shape: Shape, canvas: Canvas, id: string) {
    super(shape, canvas, new Boxes(id, shortTitle(canvas.description)), canvas.candleSeries)
  }

  protected show(rows: readonly StudyRow[]): void {
    const { shape, canvas } = this
    const [top = '', bottom = ''] = shape.outputs
    const { colouredBy } = shape
    const by = colouredBy === undefined ? -1 : placeOf(canvas.description, colouredBy)
    const zones = zonesOf(rows, {
      top: placeOf(canvas.description, top),
      bottom: placeOf(canvas.description, bottom),
      sideAt: row => Math.sign(numberAt(row, by) ?? 0) as Side,
    })
    this.painted.zones = shape.fromPrice ? fromTheirCandles(zones, canvas.candles()) : zones
  }

  setColours(): void {
    const { canvas, shape } = this
    this.painted.colourOf = side =>
      side === 0 ? canvas.colourOf(shape.colour ?? 1) : canvas.sideColour(side)
  }
}

/** Straight lines between candles: segments, broken levels, divergences, a retracement. */
export class StrokeLayer extends BehindLayer<Strokes> {
  constructor(shape: Shape, canvas: Canvas) {
    super(shape, canvas, new Strokes(), canvas.candleSeries)
  }

  protected show(rows: readonly StudyRow[]): void {
    this.painted.strokes = this.#strokes(rows)
  }

  #strokes(rows: readonly StudyRow[]) {
    const { shape, canvas } = this
    const { description, priceDecimals } = canvas
    const candles = canvas.candles()
    const places = shape.outputs.map(output => placeOf(description, output))
    const [first = -1] = places
    switch (shape.kind) {
      case 'segments':
        return segmentsOf(rows, first, candles)
      case 'retracement':
        return retracementOf(rows, places, shape.ratios ?? [], price => formatValue(price, priceDecimals))
      case 'level':
        return breaksOf(
          rows,
          first,
          candles,
          row => (shape.colouredBy ? sideOfOutput(description, shape.colouredBy, row) : 0),
          shape.label ?? '',
        )
      default: {
        const span = placeOf(description, shape.span ?? '')
        return spansOf(
          rows,
          { mark: first, span, shift: shiftOf(shape, description, canvas.params()) },
          candles,
        )
      }
    }
  }

  setColours(): void {
    const { canvas, shape } = this
    this.painted.width = canvas.lineWidth() ?? 1.5
    this.painted.background = canvas.background()
    this.painted.colourOf = side =>
      side === 0 ? canvas.colourOf(shape.colour ?? 1) : canvas.sideColour(side)
  }
}

import type { ISeriesPrimitiveAxisView } from 'lightweight-charts'
import type { Candle } from '../model/rows.js'
import type { Drawing } from '../view/drawings.js'
import { Area } from './areas.js'
import { type ChartColours, withOpacity } from './colours.js'
import type { Pixel, PlacedDrawing, Rectangle } from './drawing-shape.js'
import { formatChange, formatCount } from './numbers.js'
import { placeOfTime, stepOf } from './time-places.js'
import { formatSpan } from './times.js'

type Target = Parameters<Area['draw']>[0]
type Context = CanvasRenderingContext2D

/** The drawings of a person in one pane. */
export class DrawingArea extends Area {
  drawings: readonly Drawing[] = []
  selected: string | undefined
  placed: readonly PlacedDrawing[] = []
  readonly #candles: () => readonly Candle[]
  readonly #colours: () => ChartColours

  constructor(candles: () => readonly Candle[], colours: () => ChartColours) {
    super('normal')
    this.#candles = candles
    this.#colours = colours
  }

  draw(target: Target): void {
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      this.placed = this.drawings.flatMap(drawing => this.#paint(context, drawing, mediaSize.width))
      context.setLineDash([])
    })
  }

  /** The values of levels on the axis. */
  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.drawings
      .filter(({ kind }) => kind === 'level')
      .map(drawing => ({
        coordinate: () => this.y(drawing.points[0]?.value ?? 0) ?? -100,
        text: () => this.#format(drawing.points[0]?.value ?? 0),
        textColor: () => this.#colours().background,
        backColor: () => this.#colourOf(drawing),
      }))
  }

  #format(value: number): string {
    return this.parts?.series.priceFormatter().format(value) ?? String(value)
  }

  #colourOf({ kind, colour, points: [from, to] }: Drawing): string {
    const { series, text, up, down } = this.#colours()
    if (colour !== undefined) return series[colour % series.length] as string
    if (kind === 'measure' && from && to) return to.value >= from.value ? up : down
    return text
  }

  #pixelsOf({ points }: Drawing): readonly Pixel[] {
    const scale = this.parts?.chart.timeScale()
    const candles = this.#candles()
    return points.flatMap(({ time, value }) => {
      const place = placeOfTime(candles, time) as Parameters<
        NonNullable<typeof scale>['logicalToCoordinate']
      >[0]
      const [x, y] = [scale?.logicalToCoordinate(place) ?? null, this.y(value)]
      return x === null || y === null ? [] : [[x, y] as const]
    })
  }

  #paint(context: Context, drawing: Drawing, width: number): readonly PlacedDrawing[] {
    const points = this.#pixelsOf(drawing)
    const [one, other] = points
    if (!one || points.length < drawing.points.length) return []
    const colour = this.#colourOf(drawing)
    context.strokeStyle = colour
    context.fillStyle = colour
    context.lineWidth = drawing.width ?? (drawing.kind === 'trend' ? 1.5 : 1)
    const isSelected = drawing.id === this.selected
    let label: Rectangle | undefined
    if (drawing.kind === 'level') line(context, [0, one[1]], [width, one[1]])
    else if (drawing.kind === 'text') label = this.#write(context, drawing.text ?? '', one, isSelected)
    else if (other && drawing.kind === 'trend') line(context, one, other)
    else if (other) label = this.#measure(context, drawing, [one, other], width)
    if (isSelected) {
      const handles = drawing.kind === 'level' ? [[0.85 * width, one[1]] as const] : points
      if (drawing.kind !== 'text') for (const handle of handles) this.#handle(context, handle, colour)
    }
    return [{ drawing, points, label }]
  }

  /** Draws a handle for the pointer. */
  #handle(context: Context, [x, y]: Pixel, colour: string): void {
    context.beginPath()
    context.arc(x, y, 4.5, 0, 2 * Math.PI)
    context.fillStyle = this.#colours().background
    context.fill()
    context.lineWidth = 1.5
    context.strokeStyle = colour
    context.stroke()
  }

  /** Writes a text with a background of its own, to the right of a point and above it. */
  #write(context: Context, text: string, [x, y]: Pixel, isFramed: boolean): Rectangle {
    const colour = context.fillStyle
    context.font = '12px system-ui, sans-serif'
    context.textAlign = 'left'
    context.textBaseline = 'middle'
    const box = { left: x, top: y - 11, width: context.measureText(text).width + 12, height: 22 }
    context.fillStyle = withOpacity(this.#colours().background, 0.85)
    context.fillRect(box.left, box.top, box.width, box.height)
    if (isFramed) context.strokeRect(box.left, box.top, box.width, box.height)
    context.fillStyle = colour
    context.fillText(text, x + 6, y)
    return box
  }

  #measure(
    context: Context,
    drawing: Drawing,
    [one, other]: readonly [Pixel, Pixel],
    paneWidth: number,
  ): Rectangle {
    const colour = this.#colourOf(drawing)
    const [left, top] = [Math.min(one[0], other[0]), Math.min(one[1], other[1])]
    const [width, height] = [Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1])]
    context.fillStyle = withOpacity(colour, 0.12)
    context.fillRect(left, top, width, height)
    context.strokeRect(left, top, width, height)
    arrow(context, one, other)
    context.fillStyle = colour
    const text = this.#measureText(drawing)
    context.font = '12px system-ui, sans-serif'
    const wide = context.measureText(text).width + 12
    const x = Math.max(2, Math.min(left + width / 2 - wide / 2, paneWidth - wide - 2))
    // Behind the second point, outside the box.
    return this.#write(context, text, [x, other[1] <= one[1] ? top - 15 : top + height + 15], false)
  }

  #measureText({ points: [from, to] }: Drawing): string {
    if (!from || !to) return ''
    const candles = this.#candles()
    const change = to.value - from.value
    const sign = change < 0 ? '−' : '+'
    const percent = from.value === 0 ? '' : ` (${formatChange((100 * change) / from.value)})`
    const count = Math.abs(placeOfTime(candles, to.time) - placeOfTime(candles, from.time))
    const seconds = Math.abs(to.time - from.time)
    const times = `${formatCount(count, 'candle')} · ${formatSpan(seconds, stepOf(candles))}`
    return `${sign}${this.#format(Math.abs(change))}${percent} · ${times}`
  }
}

function line(context: Context, [x, y]: Pixel, [endX, endY]: Pixel): void {
  context.beginPath()
  context.moveTo(x, y)
  context.lineTo(endX, endY)
  context.stroke()
}

/** Draws the arrow of a measure from its first point to its second one. */
function arrow(context: Context, [x, y]: Pixel, [endX, endY]: Pixel): void {
  const middle = (x + endX) / 2
  line(context, [middle, y], [middle, endY])
  const back = endY < y ? 5 : -5
  if (Math.abs(endY - y) < 12) return
  context.beginPath()
  context.moveTo(middle - 4, endY + back)
  context.lineTo(middle, endY)
  context.lineTo(middle + 4, endY + back)
  context.stroke()
}

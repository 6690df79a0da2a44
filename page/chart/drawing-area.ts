import type { ISeriesPrimitiveAxisView } from 'lightweight-charts'
import { formatCount } from '../../src/candles/format-count.js'
import type { Candle } from '../model/rows.js'
import type { Drawing } from '../view/drawings.js'
import { Area } from './areas.js'
import { type ChartColours, withOpacity, writeOn } from './colours.js'
import {
  far,
  linesOf,
  type Pixel,
  type PlacedDrawing,
  type Rectangle,
  retracementRatios,
} from './drawing-shape.js'
import { formatChange } from './numbers.js'
import { ProfileCache, paintProfile } from './profile-painter.js'
import { placeOfTime, stepOf } from './time-places.js'
import { formatSpan } from './times.js'

type Target = Parameters<Area['draw']>[0]
type Context = CanvasRenderingContext2D

/** The drawings of a person in one pane. */
export class DrawingArea extends Area {
  drawings: readonly Drawing[] = []
  selected: string | undefined
  placed: readonly PlacedDrawing[] = []
  readonly #profiles = new ProfileCache()
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
    if (points.length < drawing.points.length) return []
    const colour = this.#colourOf(drawing)
    const isSelected = drawing.id === this.selected
    const levels =
      drawing.kind === 'fibonacci' ? this.#retracement(drawing) : this.#profile(context, drawing, points)
    context.setLineDash([])
    context.strokeStyle = colour
    context.fillStyle = colour
    context.lineWidth = drawing.width ?? (drawing.kind === 'trend' || drawing.kind === 'ray' ? 1.5 : 1)
    const label = this.#label(context, drawing, points, width)
    const placed = { drawing, points, label, levels }
    this.#fill(context, placed, colour)
    context.strokeStyle = colour
    if (drawing.kind === 'profile' || drawing.kind === 'visible')
      context.strokeStyle = withOpacity(colour, 0.4)
    if (drawing.kind !== 'text') for (const [from, to] of linesOf(placed)) line(context, from, to)
    if (drawing.kind === 'fibonacci') this.#retracementLabels(context, placed, colour)
    if (isSelected) {
      const handles = drawing.kind === 'level' ? points.map(([, y]) => [0.85 * width, y] as const) : points
      if (drawing.kind !== 'text') for (const handle of handles) this.#handle(context, handle, colour)
    }
    return [placed]
  }

  /** Writes the text of a drawing. Returns the place of the text. */
  #label(
    context: Context,
    drawing: Drawing,
    [one, other]: readonly Pixel[],
    width: number,
  ): Rectangle | undefined {
    if (drawing.kind === 'text' && one)
      return this.#write(context, drawing.text ?? '', one, drawing.id === this.selected)
    return drawing.kind === 'measure' && one && other
      ? this.#measure(context, drawing, [one, other], width)
      : undefined
  }

  /** Fills a rectangle, or a channel between its lines. */
  #fill(context: Context, placed: PlacedDrawing, colour: string): void {
    const { kind } = placed.drawing
    const [first, second] = linesOf(placed)
    if ((kind !== 'rectangle' && kind !== 'channel') || !first || !second) return
    context.fillStyle = withOpacity(colour, 0.1)
    context.beginPath()
    for (const [x, y] of [...first, ...second.toReversed()]) context.lineTo(x, y)
    context.closePath()
    context.fill()
  }

  /** Coordinates of the levels of a retracement, which goes back from its second point to its first one. */
  #retracement({ points: [start, end] }: Drawing): readonly number[] {
    if (!start || !end) return []
    return retracementRatios.map(ratio => this.y(end.value + (start.value - end.value) * ratio) ?? -far)
  }

  #retracementLabels(
    context: Context,
    { drawing, points, levels = [] }: PlacedDrawing,
    colour: string,
  ): void {
    const [start, end] = drawing.points
    const [one, other] = points
    if (!start || !end || !one || !other) return
    context.setLineDash([4, 4])
    line(context, one, other)
    context.setLineDash([])
    context.font = '10px system-ui, sans-serif'
    context.textAlign = 'left'
    context.textBaseline = 'bottom'
    const x = Math.max(4, Math.min(one[0], other[0]) + 4)
    for (const [at, ratio] of retracementRatios.entries()) {
      const price = this.#format(end.value + (start.value - end.value) * ratio)
      writeOn(context, `${ratio}  ${price}`, [x, (levels[at] ?? 0) - 2], [colour, this.#colours().background])
    }
    context.strokeStyle = colour
  }

  /** Paints the profile of the candles between two points, or of those on the screen. Returns its point of control. */
  #profile(
    context: Context,
    { kind, points: [one, other] }: Drawing,
    [first, second]: readonly Pixel[],
  ): readonly number[] | undefined {
    const scale = this.parts?.chart.timeScale()
    if (!scale || (kind !== 'profile' && kind !== 'visible')) return undefined
    const candles = this.#candles()
    const range = scale.getVisibleLogicalRange()
    const places =
      kind === 'visible'
        ? [Math.ceil(range?.from ?? 0), Math.floor(range?.to ?? 0)]
        : [one, other].map(point => placeOfTime(candles, point?.time ?? 0))
    const [from, to] = [Math.max(0, Math.min(...places)), Math.max(...places)]
    const profile = this.#profiles.of(candles, from, to)
    if (!profile) return []
    const [left, right] = [first?.[0] ?? 0, second?.[0] ?? 0].sort((a, b) => a - b) as [number, number]
    const place =
      kind === 'visible'
        ? { from: scale.width(), to: 0.7 * scale.width() }
        : { from: left, to: left + Math.max(40, 0.5 * (right - left)) }
    const y = (price: number) => this.y(price)
    const priceText = (price: number) => this.#format(price)
    const control = paintProfile(context, profile, { ...place, y, priceText }, this.#colours())
    return control === null ? [] : [control]
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

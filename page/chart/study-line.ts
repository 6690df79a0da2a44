import type {
  CustomBarItemData,
  CustomData,
  CustomSeriesOptions,
  CustomSeriesWhitespaceData,
  ICustomSeriesPaneRenderer,
  ICustomSeriesPaneView,
  ISeriesApi,
  PaneRendererCustomData,
  PriceToCoordinateConverter,
  SeriesType,
  Time,
} from 'lightweight-charts'
import { customSeriesDefaultOptions } from 'lightweight-charts'
import { writeOn } from './colours.js'
import type { Side } from './shape.js'

/** The drawing target of the renderers of lightweight-charts. */
export type DrawingTarget = Parameters<ICustomSeriesPaneRenderer['draw']>[0]

export interface StudyPoint extends CustomData<Time> {
  readonly value: number
  /** The side that gives the point its colour, instead of the series. */
  readonly side?: Side
  /** Whether the point depends on the start of the history, and so is dotted. */
  readonly isUnsettled?: boolean
}

export type LineKind = 'line' | 'steps' | 'dots' | 'level' | 'trendline'

export interface StudyLineOptions extends CustomSeriesOptions {
  kind: LineKind
  lineWidth: number
  dash: readonly number[]
  /** The colours of rises and falls. */
  upColour: string
  downColour: string
  /** Candles by which the line is drawn to the right; below 0 to the left. */
  shift: number
  /** A text behind the newest value. */
  label: string
  /** Colour of the chart behind everything. */
  background: string
  /** The series whose scale is used: in per cent, each series has a scale that begins with its own first value. */
  base: ISeriesApi<SeriesType> | undefined
}

type Bar = CustomBarItemData<Time, StudyPoint>
interface Joint {
  readonly x: number
  readonly y: number
  readonly bar: Bar
}

const dotted = [1.5, 3]

/** Largest relative difference between slopes of a straight line, which rounding causes. */
const tolerance = 1e-9

/**
 * The values of an output as a line, a stepped line, levels or dots. Unlike the library's own line it has gaps at missing
 * values and at changes of its side.
 */
export class StudyLine implements ICustomSeriesPaneView<Time, StudyPoint, StudyLineOptions> {
  #data: PaneRendererCustomData<Time, StudyPoint> | undefined
  #options: StudyLineOptions | undefined

  renderer(): ICustomSeriesPaneRenderer {
    return { draw: (target, toY) => this.#draw(target, toY) }
  }

  update(data: PaneRendererCustomData<Time, StudyPoint>, options: StudyLineOptions): void {
    this.#data = data
    this.#options = options
  }

  priceValueBuilder({ value }: StudyPoint): [number] {
    return [value]
  }

  isWhitespace(
    data: StudyPoint | CustomSeriesWhitespaceData<Time>,
  ): data is CustomSeriesWhitespaceData<Time> {
    return !('value' in data)
  }

  defaultOptions(): StudyLineOptions {
    return {
      ...customSeriesDefaultOptions,
      kind: 'line',
      lineWidth: 1.5,
      dash: [],
      upColour: '',
      downColour: '',
      shift: 0,
      label: '',
      background: '',
      base: undefined,
    }
  }

  #draw(target: DrawingTarget, toY: PriceToCoordinateConverter): void {
    const { bars, visibleRange, barSpacing } = this.#data ?? {}
    const options = this.#options
    if (!bars || !visibleRange || !options || barSpacing === undefined) return
    const shift = options.shift
    const first = Math.max(0, visibleRange.from - 1 - Math.max(0, shift))
    const last = Math.min(bars.length, visibleRange.to + 1 + Math.max(0, -shift))
    const origin = bars[visibleRange.from]
    if (!origin) return
    const shown = bars.slice(first, last)
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.lineWidth = options.lineWidth
      context.lineJoin = 'round'
      const pen = new Pen(context, options, barSpacing, origin, converted(toY, options.base))
      for (const bar of shown) pen.add(bar)
      pen.paint()
      if (last === bars.length) pen.label(mediaSize.height)
    })
  }
}

/** Converts values to coordinates by the scale of another series, which differs by a factor on a per-cent scale. */
function converted(
  toY: PriceToCoordinateConverter,
  base: ISeriesApi<SeriesType> | undefined,
): PriceToCoordinateConverter {
  const y = toY(1)
  const same = y === null ? null : base?.coordinateToPrice(y)
  return same ? price => toY(price / same) : toY
}

/** Pixels that a label needs above its line. */
const labelHeight = 14

/** Draws the points of a line one after the other. */
class Pen {
  readonly #context: CanvasRenderingContext2D
  readonly #options: StudyLineOptions
  readonly #spacing: number
  /** A bar on the screen: the library gives no coordinates of others, whose lines reach into the screen. */
  readonly #origin: Bar
  readonly #toY: PriceToCoordinateConverter
  /** The previous point, and the colour of its path. */
  #before: Joint | undefined
  /** Slope of the line up to that point; undefined at the start of a line. */
  #slope: number | undefined
  #colour = ''
  #isDotted = false

  constructor(
    context: CanvasRenderingContext2D,
    options: StudyLineOptions,
    spacing: number,
    origin: Bar,
    toY: PriceToCoordinateConverter,
  ) {
    this.#context = context
    this.#options = options
    this.#spacing = spacing
    this.#origin = origin
    this.#toY = toY
    context.beginPath()
  }

  add(bar: Bar): void {
    const { value, side, isUnsettled = false } = bar.originalData
    const y = this.#toY(value)
    if (y === null) return
    const x = this.#origin.x + (bar.time - this.#origin.time + this.#options.shift) * this.#spacing
    const before = this.#joined(bar)
    this.#change(side, isUnsettled, before)
    this.#draw(x, y, before)
    this.#slope = before ? value - before.bar.originalData.value : undefined
    this.#before = { x, y, bar }
  }

  /**
   * The previous point if the line continues from it: it belongs to the previous candle and has the same side and, on a
   * trendline, the same direction.
   */
  #joined(bar: Bar): Joint | undefined {
    const before = this.#before
    if (before === undefined || bar.time - before.bar.time !== 1) return undefined
    if (before.bar.originalData.side !== bar.originalData.side) return undefined
    if (this.#options.kind !== 'trendline' || this.#slope === undefined) return before
    const { value } = bar.originalData
    const change = value - before.bar.originalData.value
    return Math.abs(change - this.#slope) <= tolerance * Math.abs(value) ? before : undefined
  }

  /**
   * Starts another path at a change of colour, or where values begin to be settled; in the latter case the line continues.
   */
  #change(side: Side | undefined, isDotted: boolean, before: Joint | undefined): void {
    const { color, upColour, downColour } = this.#options
    const colour = side === undefined || side === 0 ? color : side > 0 ? upColour : downColour
    if (colour === this.#colour && isDotted === this.#isDotted) return
    this.paint()
    this.#colour = colour
    this.#isDotted = isDotted
    if (before) this.#context.moveTo(before.x, before.y)
  }

  #draw(x: number, y: number, before: { readonly y: number } | undefined): void {
    const context = this.#context
    const half = this.#spacing / 2
    switch (this.#options.kind) {
      case 'dots': {
        const radius = Math.min(3, Math.max(1.2, this.#spacing * 0.25))
        context.moveTo(x + radius, y)
        context.arc(x, y, radius, 0, 2 * Math.PI)
        return
      }
      case 'level':
        if (before?.y !== y) context.moveTo(x - half, y)
        context.lineTo(x + half, y)
        return
      case 'steps':
        if (before) context.lineTo(x - half, y)
        else context.moveTo(x - half, y)
        context.lineTo(x + half, y)
        return
      default:
        if (before) context.lineTo(x, y)
        else context.moveTo(x, y)
    }
  }

  paint(): void {
    if (this.#options.kind === 'dots') {
      this.#context.fillStyle = this.#colour
      this.#context.fill()
    } else {
      this.#context.setLineDash(this.#isDotted ? dotted : [...this.#options.dash])
      this.#context.strokeStyle = this.#colour
      this.#context.stroke()
    }
    this.#context.beginPath()
  }

  /** Writes the label behind the newest point, if this is in the pane, which has the given height. */
  label(height: number): void {
    const { label } = this.#options
    if (!label || !this.#before) return
    const { x, y } = this.#before
    if (y < 0 || y > height) return
    this.#context.font = '10px system-ui, sans-serif'
    this.#context.textAlign = 'right'
    // At the upper edge of the pane the label is below its line.
    const isAtEdge = y < labelHeight
    this.#context.textBaseline = isAtEdge ? 'top' : 'bottom'
    const colours = [this.#colour, this.#options.background] as const
    writeOn(this.#context, label, [x + this.#spacing / 2, y + (isAtEdge ? 3 : -2)], colours)
  }
}

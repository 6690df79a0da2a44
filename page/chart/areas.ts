import type {
  AutoscaleInfo,
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  Logical,
  PrimitiveHoveredItem,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts'
import { indexAt, type StudyRow } from '../model/rows.js'
import { withOpacity, writeOn } from './colours.js'
import type { Side } from './shape.js'
import type { Stroke } from './strokes.js'
import type { Zone } from './zones.js'

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0]

/** Something that is painted behind the candles, or with them, in the coordinates of their pane. */
export abstract class Area implements ISeriesPrimitive<Time> {
  protected parts: SeriesAttachedParameter<Time> | undefined
  readonly #views: readonly IPrimitivePaneView[]

  constructor(order: 'bottom' | 'normal' = 'bottom') {
    const renderer = { draw: (target: Target) => this.draw(target) }
    this.#views = [{ renderer: () => renderer, zOrder: () => order }]
  }

  attached(parts: SeriesAttachedParameter<Time>): void {
    this.parts = parts
  }

  detached(): void {
    this.parts = undefined
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views
  }

  abstract draw(target: Target): void

  /** Makes the chart draw the area again. */
  update(): void {
    this.parts?.requestUpdate()
  }

  /**
   * The x coordinate of the middle of a candle, or of the place `shift` candles later, which may lie ahead of the newest
   * candle.
   */
  protected x(timestamp: number, shift = 0): number | null {
    const scale = this.parts?.chart.timeScale()
    const index = scale?.timeToIndex(timestamp as Time)
    return index === null || index === undefined
      ? null
      : (scale?.logicalToCoordinate((index + shift) as unknown as Logical) ?? null)
  }

  protected y(price: number): number | null {
    return this.parts?.series.priceToCoordinate(price) ?? null
  }

  /** The rows on the screen, drawn `shift` candles later, and one more row on each side. */
  protected visible<R extends { readonly timestamp: number }>(rows: readonly R[], shift = 0): readonly R[] {
    const range = this.parts?.chart.timeScale().getVisibleRange()
    if (!range) return []
    const from = Math.max(0, indexAt(rows, range.from as number) - 1 - Math.max(0, shift))
    return rows.slice(from, indexAt(rows, range.to as number) + 2 + Math.max(0, -shift))
  }
}

interface Edge {
  readonly x: number
  readonly first: number
  readonly second: number
}

/** Parts of an area in which the same bound is above, and the crossings of the bounds. */
function partsOf(edges: readonly Edge[]): readonly (readonly Edge[])[] {
  const parts: Edge[][] = []
  let part: Edge[] = []
  for (const edge of edges) {
    const before = part.at(-1)
    if (before && (before.first - before.second) * (edge.first - edge.second) < 0) {
      const share = (before.first - before.second) / (before.first - before.second - edge.first + edge.second)
      const at = (from: number, to: number) => from + share * (to - from)
      const y = at(before.first, edge.first)
      const crossing = { x: at(before.x, edge.x), first: y, second: y }
      part.push(crossing)
      parts.push(part)
      part = [crossing]
    }
    part.push(edge)
  }
  return [...parts, part].filter(({ length }) => length > 1)
}

/** The area between two outputs of an indicator: a band, or a cloud, whose colour shows which output is above. */
export class Fill extends Area {
  rows: readonly StudyRow[] = []
  /** One colour, or two colours of a cloud: first output above, first output below. */
  colours: readonly [string] | readonly [string, string] = ['']
  /** Candles by which the area is drawn later. */
  shift = 0

  constructor(
    readonly first: number,
    readonly second: number,
  ) {
    super()
  }

  get #isCloud(): boolean {
    return this.colours.length === 2
  }

  /** A cloud counts in the price range; a band does not, because its lines do. */
  autoscaleInfo(from: Logical, to: Logical): AutoscaleInfo | null {
    if (!this.#isCloud) return null
    const index = this.parts?.chart.timeScale().timeToIndex((this.rows[0]?.timestamp ?? 0) as Time, true) ?? 0
    const first = from - this.shift - Number(index)
    const values = this.rows
      .slice(Math.max(0, Math.floor(first)), Math.max(0, Math.ceil(first + to - from) + 1))
      .flatMap(row => [row.values[this.first], row.values[this.second]])
      .filter(value => typeof value === 'number')
    if (values.length === 0) return null
    return { priceRange: { minValue: Math.min(...values), maxValue: Math.max(...values) } }
  }

  draw(target: Target): void {
    const spacing = this.parts?.chart.timeScale().options().barSpacing ?? 1
    // One candle per pixel is enough.
    const step = Math.max(1, Math.ceil(1 / spacing))
    const edges = this.visible(this.rows, this.shift).flatMap(({ timestamp, values }, at) => {
      if (at % step !== 0) return []
      const [first, second] = [values[this.first], values[this.second]]
      if (typeof first !== 'number' || typeof second !== 'number') return []
      const [x, one, other] = [this.x(timestamp, this.shift), this.y(first), this.y(second)]
      return x === null || one === null || other === null ? [] : [{ x, first: one, second: other }]
    })
    target.useMediaCoordinateSpace(({ context }) => {
      for (const part of this.#isCloud ? partsOf(edges) : [edges]) this.#paint(context, part)
    })
  }

  #paint(context: CanvasRenderingContext2D, edges: readonly Edge[]): void {
    const [rising, falling = rising] = this.colours
    // Prices grow upwards, pixels downwards.
    const isRising = edges.reduce((sum, { first, second }) => sum + second - first, 0) >= 0
    const colour = isRising ? rising : falling
    context.fillStyle = withOpacity(colour, this.#isCloud ? 0.14 : 0.07)
    context.beginPath()
    for (const { x, first } of edges) context.lineTo(x, first)
    for (const { x, second } of edges.toReversed()) context.lineTo(x, second)
    context.closePath()
    context.fill()
    if (!this.#isCloud) return
    context.strokeStyle = withOpacity(colour, 0.6)
    context.lineWidth = 1
    context.beginPath()
    for (const { x, first } of edges) context.lineTo(x, first)
    context.stroke()
    context.beginPath()
    for (const { x, second } of edges) context.lineTo(x, second)
    context.stroke()
  }
}

interface Box {
  readonly zone: Zone
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The zones of an indicator as boxes. A valid zone reaches to the right edge. */
export class Boxes extends Area {
  zones: readonly Zone[] = []
  /** The colours of a zone by its side. */
  colourOf: (side: Side) => string = () => ''
  #boxes: readonly Box[] = []

  constructor(
    readonly id: string,
    readonly title: string,
  ) {
    super()
  }

  hitTest(x: number, y: number): PrimitiveHoveredItem | null {
    const at = this.#boxes.findIndex(
      ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
    )
    const zone = this.#boxes[at]?.zone
    return zone ? { externalId: `${this.id}#${zone.from}`, zOrder: 'bottom' } : null
  }

  /** The zone that an external id names. */
  zoneOf(externalId: string): Zone | undefined {
    const from = Number(externalId.slice(externalId.indexOf('#') + 1))
    return this.zones.find(zone => zone.from === from)
  }

  draw(target: Target): void {
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      this.#boxes = this.#place(mediaSize.width)
      context.font = '10px system-ui, sans-serif'
      context.textBaseline = 'top'
      for (const { zone, left, right, top, bottom } of this.#boxes) {
        const height = Math.max(1, bottom - top)
        const colour = this.colourOf(zone.side)
        context.fillStyle = withOpacity(colour, zone.isActive ? 0.2 : 0.11)
        context.fillRect(left, top, right - left, height)
        context.strokeStyle = withOpacity(colour, zone.isActive ? 0.8 : 0.35)
        context.lineWidth = 1
        context.strokeRect(Math.round(left) + 0.5, Math.round(top) + 0.5, right - left, height)
        if (!zone.isActive || context.measureText(this.title).width > right - left - 8) continue
        context.fillStyle = colour
        context.fillText(this.title, left + 4, height >= 16 ? top + 3 : bottom + 3)
      }
    })
  }

  #place(width: number): readonly Box[] {
    const half = (this.parts?.chart.timeScale().options().barSpacing ?? 6) / 2
    const range = this.parts?.chart.timeScale().getVisibleRange()
    if (!range) return []
    return this.zones.flatMap(zone => {
      if ((zone.to < (range.from as number) && !zone.isActive) || zone.from > (range.to as number)) return []
      const [from, to] = [this.x(zone.from), this.x(zone.to)]
      const [top, bottom] = [this.y(zone.top), this.y(zone.bottom)]
      if (from === null || to === null || top === null || bottom === null) return []
      return [{ zone, left: from - half, right: zone.isActive ? width : to + half, top, bottom }]
    })
  }
}

/** Straight lines between prices of two candles. */
export class Strokes extends Area {
  strokes: readonly Stroke[] = []
  /** Width of lines that are not faint, in pixels. */
  width = 1.5
  background = ''
  colourOf: (side: Side) => string = () => ''

  draw(target: Target): void {
    const range = this.parts?.chart.timeScale().getVisibleRange()
    if (!range) return
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.font = '10px system-ui, sans-serif'
      for (const stroke of this.strokes) {
        const { from, to } = stroke
        if ((to && to.timestamp < (range.from as number)) || from.timestamp > (range.to as number)) continue
        const [x, y] = [this.x(from.timestamp), this.y(from.price)]
        // A line without an end reaches to the right edge.
        const [endX, endY] = to ? [this.x(to.timestamp), this.y(to.price)] : [mediaSize.width, y]
        if (x === null || y === null || endX === null || endY === null) continue
        this.#paint(context, stroke, [x, y], [endX, endY])
      }
      context.setLineDash([])
    })
  }

  #paint(
    context: CanvasRenderingContext2D,
    { to, side, isDashed, isFaint, label }: Stroke,
    [x, y]: readonly [number, number],
    [endX, endY]: readonly [number, number],
  ): void {
    const colour = this.colourOf(side)
    context.strokeStyle = isFaint ? withOpacity(colour, 0.6) : colour
    context.lineWidth = isFaint ? 1 : this.width
    context.setLineDash(isDashed ? [4, 4] : [])
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(endX, endY)
    context.stroke()
    if (!label) return
    // At the upper edge of the pane the label is below its line.
    const isAtEdge = endY < 14
    context.textBaseline = isAtEdge ? 'top' : 'bottom'
    const { width } = context.measureText(label)
    // In the middle of a line, or at the edge if the line has no end.
    const left = to ? Math.max(x, (x + endX - width) / 2) : endX - width - 4
    writeOn(context, label, [left, y + (isAtEdge ? 3 : -2)], [colour, this.background])
  }
}

import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  PrimitiveHoveredItem,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts'
import { indexAt, type StudyRow } from '../model/rows.js'
import { withOpacity } from './colours.js'
import type { Zone } from './marks.js'

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0]

/** Something that is painted behind the candles, in the coordinates of their pane. */
export abstract class Area implements ISeriesPrimitive<Time> {
  protected parts: SeriesAttachedParameter<Time> | undefined
  readonly #views: readonly IPrimitivePaneView[]

  constructor() {
    const renderer = { draw: (target: Target) => this.draw(target) }
    this.#views = [{ renderer: () => renderer, zOrder: () => 'bottom' }]
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

  protected x(timestamp: number): number | null {
    return this.parts?.chart.timeScale().timeToCoordinate(timestamp as Time) ?? null
  }

  protected y(price: number): number | null {
    return this.parts?.series.priceToCoordinate(price) ?? null
  }

  /** The rows that are on the screen, with one more on each side. */
  protected visible<R extends { readonly timestamp: number }>(rows: readonly R[]): readonly R[] {
    const range = this.parts?.chart.timeScale().getVisibleRange()
    if (!range) return []
    const from = Math.max(0, indexAt(rows, range.from as number) - 1)
    return rows.slice(from, indexAt(rows, range.to as number) + 2)
  }
}

/** The area between two outputs of an indicator. */
export class Fill extends Area {
  rows: readonly StudyRow[] = []
  colour = ''

  constructor(
    readonly upper: number,
    readonly lower: number,
  ) {
    super()
  }

  draw(target: Target): void {
    const spacing = this.parts?.chart.timeScale().options().barSpacing ?? 1
    // Of candles that share a pixel one is enough.
    const step = Math.max(1, Math.ceil(1 / spacing))
    const points = this.visible(this.rows).flatMap(({ timestamp, values }, at) => {
      if (at % step !== 0) return []
      const [upper, lower] = [values[this.upper], values[this.lower]]
      if (typeof upper !== 'number' || typeof lower !== 'number') return []
      const [x, top, bottom] = [this.x(timestamp), this.y(upper), this.y(lower)]
      return x === null || top === null || bottom === null ? [] : [{ x, top, bottom }]
    })
    if (points.length < 2) return
    target.useMediaCoordinateSpace(({ context }) => {
      context.fillStyle = withOpacity(this.colour, 0.07)
      context.beginPath()
      for (const { x, top } of points) context.lineTo(x, top)
      for (const { x, bottom } of points.toReversed()) context.lineTo(x, bottom)
      context.closePath()
      context.fill()
    })
  }
}

interface Box {
  readonly zone: Zone
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The zones of an indicator as boxes. A valid one reaches to the right edge. */
export class Boxes extends Area {
  zones: readonly Zone[] = []
  colour = ''
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
      context.font = '11px system-ui, sans-serif'
      context.textBaseline = 'top'
      for (const { zone, left, right, top, bottom } of this.#boxes) {
        const height = Math.max(1, bottom - top)
        context.fillStyle = withOpacity(this.colour, zone.isActive ? 0.2 : 0.1)
        context.fillRect(left, top, right - left, height)
        context.strokeStyle = withOpacity(this.colour, zone.isActive ? 0.9 : 0.4)
        context.lineWidth = 1
        context.strokeRect(Math.round(left) + 0.5, Math.round(top) + 0.5, right - left, height)
        if (!zone.isActive || context.measureText(this.title).width > right - left - 8) continue
        context.fillStyle = this.colour
        context.fillText(this.title, left + 4, height >= 16 ? top + 3 : bottom + 3)
      }
    })
  }

  #place(width: number): readonly Box[] {
    const half = (this.parts?.chart.timeScale().options().barSpacing ?? 6) / 2
    const range = this.parts?.chart.timeScale().getVisibleRange()
    if (!range) return []
    return this.zones.flatMap(zone => {
      if (zone.to < (range.from as number) || zone.from > (range.to as number)) return []
      const [from, to] = [this.x(zone.from), this.x(zone.to)]
      const [top, bottom] = [this.y(zone.top), this.y(zone.bottom)]
      if (from === null || to === null || top === null || bottom === null) return []
      return [{ zone, left: from - half, right: zone.isActive ? width : to + half, top, bottom }]
    })
  }
}

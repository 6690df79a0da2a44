import type { Drawing } from '../view/drawings.js'

/** A point in pixels from the top left corner of a pane. */
export type Pixel = readonly [x: number, y: number]

export interface Rectangle {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A drawing in coordinates of the screen. */
export interface PlacedDrawing {
  readonly drawing: Drawing
  readonly points: readonly Pixel[]
  /** The place of its text. */
  readonly label?: Rectangle | undefined
  /** Coordinates of its levels: those of a retracement, or the point of control of a volume profile. */
  readonly levels?: readonly number[] | undefined
}

/** The part of a drawing at a place. */
export interface DrawingHit {
  readonly drawing: Drawing
  /** Index of the point; undefined for the whole drawing. */
  readonly handle: number | undefined
}

/** Largest distance of the pointer from a line or a point that it selects, in pixels. */
export const reach = 6

const distance = ([x, y]: Pixel, [otherX, otherY]: Pixel) => Math.hypot(x - otherX, y - otherY)

/** Distance of a point from the line between two others. */
export function distanceToLine(point: Pixel, from: Pixel, to: Pixel): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const square = dx * dx + dy * dy
  const along = square === 0 ? 0 : ((point[0] - from[0]) * dx + (point[1] - from[1]) * dy) / square
  const share = Math.min(1, Math.max(0, along))
  return distance(point, [from[0] + share * dx, from[1] + share * dy])
}

const isIn = ([x, y]: Pixel, { left, top, width, height }: Rectangle) =>
  x >= left - 2 && x <= left + width + 2 && y >= top - 2 && y <= top + height + 2

type Line = readonly [Pixel, Pixel]

/** Farther than any screen reaches, in pixels. */
export const far = 20_000

/** Shares of the way back that a retracement has levels at. */
export const retracementRatios = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1]

/** The end of a ray through two points. */
function rayEnd(one: Pixel, other: Pixel): Pixel {
  const factor = far / Math.max(1, distance(one, other))
  return [one[0] + (other[0] - one[0]) * factor, one[1] + (other[1] - one[1]) * factor]
}

/** The distance of a point from a line, in pixels upright. */
const heightAbove = (point: Pixel, [one, other]: Line): number => {
  const slope = other[0] === one[0] ? 0 : (other[1] - one[1]) / (other[0] - one[0])
  return point[1] - one[1] - slope * (point[0] - one[0])
}

const level = (y: number, from = -far, to = far): Line => [
  [from, y],
  [to, y],
]
const upright = (x: number, from = -far, to = far): Line => [
  [x, from],
  [x, to],
]

/** The lines of a drawing. A channel without its third point is one line. */
export function linesOf({ drawing: { kind }, points, levels = [] }: PlacedDrawing): readonly Line[] {
  if (kind === 'visible') return levels.map(y => level(y))
  const [one, other, third] = points
  if (!one) return []
  if (kind === 'level') return [level(one[1])]
  if (kind === 'vertical') return [upright(one[0])]
  if (!other) return []
  const [left, right] = one[0] < other[0] ? [one[0], other[0]] : [other[0], one[0]]
  switch (kind) {
    case 'ray':
      return [[one, rayEnd(one, other)]]
    case 'channel': {
      const by = third ? heightAbove(third, [one, other]) : 0
      const parallel: Line = [
        [one[0], one[1] + by],
        [other[0], other[1] + by],
      ]
      return third ? [[one, other], parallel] : [[one, other]]
    }
    case 'fibonacci':
      return levels.map(y => level(y, left, right))
    case 'profile':
      return [upright(left), upright(right), ...levels.map(y => level(y, left, right))]
    case 'rectangle':
    case 'measure':
      return [
        level(one[1], left, right),
        level(other[1], left, right),
        upright(left, one[1], other[1]),
        upright(right, one[1], other[1]),
      ]
    default:
      return [[one, other]]
  }
}

const isOn = (point: Pixel, placed: PlacedDrawing): boolean =>
  (placed.label !== undefined && isIn(point, placed.label)) ||
  (placed.drawing.kind !== 'text' &&
    linesOf(placed).some(([from, to]) => distanceToLine(point, from, to) <= reach))

/** The drawing at a point; the newest of several. Points of a drawing have priority over the rest of it. */
export function drawingAt(point: Pixel, placed: readonly PlacedDrawing[]): DrawingHit | undefined {
  for (const each of placed.toReversed()) {
    const { drawing, points } = each
    const handle = points.length < 2 ? -1 : points.findIndex(other => distance(point, other) <= reach + 2)
    if (handle >= 0) return { drawing, handle }
    if (isOn(point, each)) return { drawing, handle: undefined }
  }
  return undefined
}

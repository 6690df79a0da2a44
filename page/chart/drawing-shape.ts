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

/** The corners of a measure, from the first point around. */
const cornersOf = ([one, other]: readonly [Pixel, Pixel]): readonly Pixel[] => [
  one,
  [other[0], one[1]],
  other,
  [one[0], other[1]],
]

function isOn(point: Pixel, { drawing, points, label }: PlacedDrawing): boolean {
  if (label && isIn(point, label)) return true
  const [one, other] = points
  if (one === undefined) return false
  if (drawing.kind === 'level') return Math.abs(point[1] - one[1]) <= reach
  if (other === undefined) return false
  if (drawing.kind === 'trend') return distanceToLine(point, one, other) <= reach
  const corners = cornersOf([one, other])
  return corners.some(
    (corner, at) => distanceToLine(point, corner, corners[(at + 1) % corners.length] as Pixel) <= reach,
  )
}

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

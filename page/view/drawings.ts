import { Stored } from './storage.js'
import { type Market, symbolKey } from './view.js'

/** Kinds of drawings with their numbers of points. */
export const drawingPoints = {
  level: 1,
  vertical: 1,
  trend: 2,
  ray: 2,
  channel: 3,
  rectangle: 2,
  fibonacci: 2,
  measure: 2,
  text: 1,
  profile: 2,
  visible: 0,
} as const
export type DrawingKind = keyof typeof drawingPoints

export interface Point {
  /** Unix seconds; without meaning for a level. */
  readonly time: number
  readonly value: number
}

/** The line widths to choose from, in pixels. */
export const lineWidths = [1, 2, 3] as const
export type LineWidth = (typeof lineWidths)[number]

/** A drawing of a person. */
export interface Drawing {
  readonly id: string
  readonly kind: DrawingKind
  /** The study of the pane; undefined in the pane of the candles. */
  readonly study?: string | undefined
  readonly points: readonly Point[]
  readonly text?: string | undefined
  /** Palette place of the colour; undefined for the colour of texts. */
  readonly colour?: number | undefined
  readonly width?: LineWidth | undefined
}

type Drawings = Readonly<Record<string, readonly Drawing[]>>

/** Maximum numbers of drawings of a market, and of markets with drawings. */
const maxDrawings = 50
const maxMarkets = 200
export const maxTextLength = 200

const isOptional = (value: unknown, type: string) => value === undefined || typeof value === type

function isDrawing(each: Partial<Drawing> | null): boolean {
  if (typeof each !== 'object' || each === null) return false
  const { id, kind, study, points, text, colour, width } = each
  return (
    typeof id === 'string' &&
    kind !== undefined &&
    Object.hasOwn(drawingPoints, kind) &&
    Array.isArray(points) &&
    points.length === drawingPoints[kind] &&
    points.every(point => Number.isFinite(point?.time) && Number.isFinite(point?.value)) &&
    isOptional(study, 'string') &&
    isOptional(text, 'string') &&
    (colour === undefined || Number.isInteger(colour)) &&
    (width === undefined || lineWidths.includes(width))
  )
}

/** The drawings in a stored text, by layout and market; invalid ones are skipped. */
export function readDrawings(stored: unknown): Drawings {
  if (typeof stored !== 'object' || stored === null) return {}
  const entries = Object.entries(stored).map(([place, drawings]) => [
    place,
    Array.isArray(drawings) ? drawings.filter(isDrawing).slice(0, maxDrawings) : [],
  ])
  return Object.fromEntries(entries.slice(-maxMarkets))
}

/** The drawings of all markets on this device; they are the same in every timeframe. Each layout has its own. */
export class DrawingStore {
  readonly #all = new Stored('candela.drawings', readDrawings)
  readonly #layout: () => string

  /** `layout` returns the id of the open layout, empty without one. */
  constructor(layout: () => string) {
    this.#layout = layout
  }

  #placeOf(market: Market): string {
    return `${this.#layout()}|${symbolKey(market)}`
  }

  of(market: Market): readonly Drawing[] {
    return this.#all.value[this.#placeOf(market)] ?? []
  }

  /** Adds a drawing. Returns its id. */
  add(market: Market, drawing: Omit<Drawing, 'id'>): string {
    const drawings = this.of(market)
    const id = String(1 + Math.max(0, ...drawings.map(each => Number(each.id) || 0)))
    this.#set(market, [...drawings, { ...drawing, id }])
    return id
  }

  change(market: Market, id: string, change: Partial<Drawing>): void {
    this.#set(
      market,
      this.of(market).map(drawing => (drawing.id === id ? { ...drawing, ...change } : drawing)),
    )
  }

  remove(market: Market, id: string): void {
    this.#set(
      market,
      this.of(market).filter(drawing => drawing.id !== id),
    )
  }

  /** A function that restores the present drawings of a market, whichever layout is open by then. */
  restorer(market: Market): () => void {
    const place = this.#placeOf(market)
    const drawings = this.of(market)
    return () => this.#put(place, drawings)
  }

  #set(market: Market, drawings: readonly Drawing[]): void {
    this.#put(this.#placeOf(market), drawings.slice(-maxDrawings))
  }

  #put(place: string, drawings: readonly Drawing[]): void {
    const { [place]: _, ...others } = this.#all.value
    this.#write(drawings.length === 0 ? others : { ...others, [place]: drawings })
  }

  /** Copies the drawings of a layout to a new one. */
  copy(from: string, to: string): void {
    const copied = Object.entries(this.#all.value)
      .filter(([place]) => place.startsWith(`${from}|`))
      .map(([place, drawings]) => [`${to}${place.slice(from.length)}`, drawings])
    this.#write({ ...this.#all.value, ...Object.fromEntries(copied) })
  }

  /** Drops the drawings of a layout. The result restores them. */
  drop(layout: string): () => void {
    const isOf = ([place]: readonly [string, unknown]) => place.startsWith(`${layout}|`)
    const entries = Object.entries(this.#all.value)
    this.#write(Object.fromEntries(entries.filter(each => !isOf(each))))
    return () => this.#write({ ...this.#all.value, ...Object.fromEntries(entries.filter(isOf)) })
  }

  #write(all: Drawings): void {
    this.#all.value = Object.fromEntries(Object.entries(all).slice(-maxMarkets))
  }
}

import type { Description } from '../model/catalogue.js'
import { type Candle, indexAt, type StudyRow, type Value } from '../model/rows.js'
import { placeOf, type Shape, type Side, sideOfOutput, wordsOf } from './shape.js'

/** Something that an indicator found at a candle. */
export interface Mark {
  /** The candle at which the mark is drawn. */
  readonly timestamp: number
  /** The candle whose row has the mark. */
  readonly row: number
  readonly side: Side
  readonly isAbove: boolean
  /** A text next to the mark; a count is only a text. */
  readonly label: string
  readonly isCount: boolean
  /** The meaning of the mark, for a tooltip. */
  readonly text: string
}

/** Kind and position of a mark. */
export interface MarkShape {
  readonly shape: Shape
  /** Candles by which the mark is drawn later; below 0 if earlier. */
  readonly shift: number
}

type Meaning = Pick<Mark, 'side' | 'label' | 'text'>

const namesOf = (value: Value): readonly string[] =>
  (Array.isArray(value) ? value : String(value ?? '').split(/,\s*/)).filter(Boolean)

/** A signal in words: its side, or the end of a move that it found; empty for a quiet mark. */
export function signalWord(value: number, { colour, at }: Pick<Shape, 'colour' | 'at'>): string {
  if (colour === 'quiet') return ''
  if (at === 'sign') return value > 0 ? 'high' : 'low'
  return value > 0 ? 'bullish' : 'bearish'
}

/** Meaning of a value at its candle, given the previous value; undefined if there is nothing to mark. */
function meaningOf(
  { title, outputs }: Description,
  shape: Shape,
  at: number,
  value: Value,
  before: Value,
): Meaning | undefined {
  const { kind: shapeKind, colour, label = '', except = [], from = Number.NEGATIVE_INFINITY } = shape
  const { name = '', kind, directions, titles } = outputs[at] ?? {}
  const words = name === 'value' ? '' : wordsOf(name)
  switch (kind) {
    case 'number': {
      if (typeof value !== 'number' || value === 0 || value < from) return undefined
      const side: Side = value > 0 ? 1 : -1
      const count = String(Math.abs(value))
      if (shapeKind === 'count') return { side: 0, label: count, text: `${title}: ${words} ${count}` }
      return { side, label, text: words ? `${title}: ${words}` : title }
    }
    case 'signal': {
      if (typeof value !== 'number' || value === 0) return undefined
      const detail = words ? ` (${words})` : ''
      const word = signalWord(value, shape)
      const side = colour === 'quiet' ? 0 : value > 0 ? 1 : -1
      return { side, label, text: `${title}${detail}${word ? `: ${word}` : ''}` }
    }
    case 'names': {
      const names = namesOf(value).filter(each => !except.includes(each))
      const text = names.map(each => titles?.get(each) ?? each).join(', ')
      return names.length > 0 ? { side: 0, label, text } : undefined
    }
    case 'label':
      return value !== null && value !== 'none' && value !== before && !except.includes(String(value))
        ? {
            side: directions?.[String(value)] ?? 0,
            label: label || String(value),
            text: `${title}, ${words}: ${value}`,
          }
        : undefined
    default:
      return value === true && before !== true ? { side: 0, label, text: `${title}: ${words}` } : undefined
  }
}

/** The side that gives a mark its colour: a move that ends above a candle was a rise. */
function sideOfMark(description: Description, shape: Shape, meant: Side, row: StudyRow): Side {
  if (shape.colouredBy !== undefined) return sideOfOutput(description, shape.colouredBy, row)
  if (shape.colour === 'quiet') return 0
  if (shape.kind === 'count') return shape.colour === 'up' ? 1 : shape.colour === 'down' ? -1 : 0
  if (shape.at === 'sign') return meant > 0 ? -1 : 1
  return shape.at === undefined ? meant : shape.at === 'above' ? -1 : 1
}

/** The marks of one row; `before` is the previous row. */
export function marksOf(
  description: Description,
  shapes: readonly MarkShape[],
  candles: readonly Candle[],
  row: StudyRow,
  before: StudyRow | undefined,
): readonly Mark[] {
  return shapes.flatMap(({ shape, shift }) =>
    shape.outputs.flatMap((output): readonly Mark[] => {
      const at = placeOf(description, output)
      const meaning = meaningOf(description, shape, at, row.values[at] ?? null, before?.values[at] ?? null)
      if (!meaning) return []
      const timestamp =
        shift === 0 ? row.timestamp : candles[indexAt(candles, row.timestamp) + shift]?.timestamp
      if (timestamp === undefined) return []
      const side = sideOfMark(description, shape, meaning.side, row)
      const isAbove = shape.at === 'above' || (shape.at !== 'below' && side <= 0)
      return [{ ...meaning, timestamp, row: row.timestamp, side, isAbove, isCount: shape.kind === 'count' }]
    }),
  )
}

/** The marks of all rows, one for each candle and side. */
export function allMarks(
  description: Description,
  shapes: readonly MarkShape[],
  candles: readonly Candle[],
  rows: readonly StudyRow[],
): readonly Mark[] {
  const found: Mark[] = []
  for (const [at, row] of rows.entries()) {
    for (const mark of marksOf(description, shapes, candles, row, rows[at - 1])) {
      const last = found.at(-1)
      if (last?.row !== mark.row || last.side !== mark.side || last.isAbove !== mark.isAbove) found.push(mark)
      else found[found.length - 1] = { ...last, text: `${last.text}; ${mark.text}` }
    }
  }
  return found
}

import { formatPrice } from '../chart/numbers.js'
import { type Drawing, type DrawingKind, drawingPoints } from '../view/drawings.js'

export const drawingNames: Readonly<Record<DrawingKind, string>> = {
  level: 'Level',
  vertical: 'Vertical line',
  trend: 'Trend line',
  ray: 'Ray',
  channel: 'Parallel channel',
  rectangle: 'Rectangle',
  fibonacci: 'Fibonacci retracement',
  measure: 'Measure',
  text: 'Text',
  profile: 'Volume profile, fixed range',
  visible: 'Volume profile, visible range',
}

/** The same for a person who does not know yet what a level is. */
export const drawingLabels = { ...drawingNames, level: 'Level (horizontal line)' }

/** The kinds whose place in time alone counts. */
const timeKinds: readonly DrawingKind[] = ['vertical', 'profile', 'visible']

/** A drawing in words: `Trend line 57,200.00 → 58,100.00`. */
export function drawingTitle({ kind, study, points, text }: Drawing, decimals: number): string {
  if (timeKinds.includes(kind)) return drawingNames[kind]
  const values = points.map(({ value }) =>
    study === undefined ? formatPrice(value, decimals) : String(value),
  )
  return `${drawingNames[kind]} ${kind === 'text' ? `“${text}”` : values.join(' → ')}`
}

/** The kinds whose name has every typed word at its beginning, such as the volume profiles. */
export function drawingsNamed(typed: string): readonly DrawingKind[] {
  const words = typed.toLowerCase().split(/\s+/)
  const kinds = Object.keys(drawingPoints) as DrawingKind[]
  return kinds.filter(kind => {
    const own = drawingLabels[kind].toLowerCase().split(/[^a-z]+/)
    return words.every(word => word.length > 2 && own.some(each => each.startsWith(word)))
  })
}

import { formatPrice } from '../chart/numbers.js'
import type { Drawing, DrawingKind } from '../view/drawings.js'

/** Names of the kinds of drawings. */
export const drawingNames: Readonly<Record<DrawingKind, string>> = {
  level: 'Level',
  trend: 'Trend line',
  measure: 'Measure',
  text: 'Text',
}

/** A drawing in words: `Trend line 57,200.00 → 58,100.00`. */
export function drawingTitle({ kind, study, points, text }: Drawing, decimals: number): string {
  const values = points.map(({ value }) =>
    study === undefined ? formatPrice(value, decimals) : String(value),
  )
  return `${drawingNames[kind]} ${kind === 'text' ? `“${text}”` : values.join(' → ')}`
}

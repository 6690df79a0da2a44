import type { Description } from '../model/catalogue.js'
import type { StudyRow, Value } from '../model/rows.js'
import type { Drawing } from './drawing.js'

/** Something that an indicator found at a candle. */
export interface Mark {
  readonly timestamp: number
  /** Up, down, or without a direction. */
  readonly direction: 1 | -1 | 0
  readonly text: string
}

const words = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()

/** The direction that a text names; 0 where it names none. */
const directionOf = (text: string): Mark['direction'] =>
  /^(up|long|buy|bull)/i.test(text) ? 1 : /^(down|short|sell|bear)/i.test(text) ? -1 : 0

/** What a value means at its candle, given the value before it; undefined where there is nothing to mark. */
function meaningOf(
  { title, outputs }: Description,
  at: number,
  value: Value,
  before: Value,
): { readonly direction: Mark['direction']; readonly text: string } | undefined {
  const { name = '', kind } = outputs[at] ?? {}
  switch (kind) {
    case 'signal': {
      if (typeof value !== 'number' || value === 0) return undefined
      const detail = name === 'value' ? '' : ` (${words(name)})`
      return {
        direction: value > 0 ? 1 : -1,
        text: `${title}${detail}: ${value > 0 ? 'bullish' : 'bearish'}`,
      }
    }
    case 'names': {
      const names = (Array.isArray(value) ? value : String(value ?? '').split(/,\s*/)).filter(Boolean)
      return names.length > 0 ? { direction: 0, text: names.join(', ') } : undefined
    }
    case 'label':
      return value !== null && value !== 'none' && value !== before
        ? { direction: directionOf(String(value)), text: `${title}, ${words(name)}: ${value}` }
        : undefined
    default:
      return value === true && before !== true
        ? { direction: 0, text: `${title}: ${words(name)}` }
        : undefined
  }
}

/** The marks of one row; `before` is the row of the candle before. */
export function marksOf(
  description: Description,
  { marks }: Drawing,
  row: StudyRow,
  before: StudyRow | undefined,
): readonly Mark[] {
  return marks.flatMap(at => {
    const meaning = meaningOf(description, at, row.values[at] ?? null, before?.values[at] ?? null)
    return meaning ? [{ timestamp: row.timestamp, ...meaning }] : []
  })
}

/** The marks of all rows, one for each candle and direction. */
export function allMarks(
  description: Description,
  drawing: Drawing,
  rows: readonly StudyRow[],
): readonly Mark[] {
  const found: Mark[] = []
  for (const [at, row] of rows.entries()) {
    for (const mark of marksOf(description, drawing, row, rows[at - 1])) {
      const last = found.at(-1)
      if (last?.timestamp !== mark.timestamp || last.direction !== mark.direction) found.push(mark)
      else found[found.length - 1] = { ...last, text: `${last.text}; ${mark.text}` }
    }
  }
  return found
}

/** A span of candles in which two prices stayed the same. */
export interface Zone {
  readonly from: number
  readonly to: number
  readonly top: number
  readonly bottom: number
  /** Whether the newest candle still has it. */
  readonly isActive: boolean
}

/** The boxes of an indicator that prints the top and the bottom of the zone that is valid at each candle. */
export function zonesOf(rows: readonly StudyRow[], { top, bottom }: { top: number; bottom: number }): Zone[] {
  const zones: Zone[] = []
  let open: { from: number; to: number; top: number; bottom: number } | undefined
  const close = (isActive: boolean) => {
    if (open) zones.push({ ...open, isActive })
    open = undefined
  }
  for (const { timestamp, values } of rows) {
    const [high, low] = [values[top], values[bottom]]
    if (typeof high !== 'number' || typeof low !== 'number') close(false)
    else if (open && open.top === high && open.bottom === low) open.to = timestamp
    else {
      close(false)
      open = { from: timestamp, to: timestamp, top: high, bottom: low }
    }
  }
  close(true)
  return zones
}

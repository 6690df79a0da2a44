/** Which character begins the decimals of a number. The other one separates thousands. */
export type DecimalMark = 'point' | 'comma'

/** A value of a row: a text, or a number where the format of the file has numbers. An absent value is an empty text. */
export type Cell = string | number

/** A longer text is no number. */
const maxLength = 64
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
/** A number with what people write around it: a currency, separators of thousands, and a size such as K. Indians separate 12,34,567. */
const decorated = {
  point:
    /^([+-]?)[$€£₹¥]?\s?((?:\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:['\s]\d{3})+|[1-9]\d?(?:,\d\d)+,\d{3})(?:\.\d*)?|\.\d+)\s?([kmbt]?)\s?[$€£₹¥]?$/i,
  comma:
    /^([+-]?)[$€£₹¥]?\s?((?:\d+|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:['\s]\d{3})+)(?:,\d*)?|,\d+)\s?([kmbt]?|e[+-]?\d+)\s?[$€£₹¥]?$/i,
} as const satisfies Record<DecimalMark, RegExp>
/** What stands in a cell that has no value. */
const missing = /^(?:-|–|—|null|nan|n\/a|na|none)?$/i
const sizes: Readonly<Record<string, string>> = { k: 'e3', m: 'e6', b: 'e9', t: 'e12' }
const maxQuotedLength = 40

/** Whether a cell says that there is no value: it is empty, `null`, `NaN`, `N/A` or a dash. */
export const isMissing = (cell: Cell): boolean =>
  typeof cell === 'number' ? Number.isNaN(cell) : missing.test(cell)

/**
 * The number in a cell: with an exponent, or with a currency, separators of thousands or one of the sizes K, M, B and T.
 * NaN where there is none.
 */
export function parseNumber(cell: Cell, mark: DecimalMark = 'point'): number {
  if (typeof cell === 'number') return cell
  if (cell.length > maxLength) return Number.NaN
  if (mark === 'point' && decimal.test(cell)) return Number(cell)
  const [, sign = '', digits, size = ''] = decorated[mark].exec(cell) ?? []
  if (digits === undefined) return Number.NaN
  const plain =
    mark === 'point' ? digits.replace(/[,'\s]/g, '') : digits.replace(/[.'\s]/g, '').replace(',', '.')
  return Number(`${sign}${plain}${sizes[size.toLowerCase()] ?? size}`)
}

/** Whether a cell holds a number, whichever the decimal mark is. */
export const isNumber = (cell: Cell): boolean =>
  !Number.isNaN(parseNumber(cell, 'point')) || !Number.isNaN(parseNumber(cell, 'comma'))

/** The mark with which alone a cell is a number, `either` where two readings differ, undefined where both give the same or none. */
export function markOfCell(cell: Cell): DecimalMark | 'either' | undefined {
  if (typeof cell === 'number') return undefined
  const [point, comma] = [parseNumber(cell, 'point'), parseNumber(cell, 'comma')]
  if (Object.is(point, comma)) return undefined
  if (Number.isNaN(point)) return 'comma'
  return Number.isNaN(comma) ? 'point' : 'either'
}

/** The decimal mark that columns show; an example where some numbers have two readings; undefined where no number has separators. */
export function decimalMarkOf(
  columns: readonly (readonly Cell[])[],
): DecimalMark | { readonly unclear: string } | undefined {
  const counts = { point: 0, comma: 0, either: 0 }
  const decided = new Set<DecimalMark>()
  let unclear: string | undefined
  for (const cells of columns) {
    const either: string[] = []
    for (const cell of cells) {
      const mark = markOfCell(cell)
      if (mark === undefined) continue
      counts[mark]++
      if (mark === 'either') either.push(cell as string)
    }
    unclear ??= either[0]
    // A column that has 1234 does not separate the thousands of 1,250.
    const hasCommas = either.some(cell => cell.includes(','))
    if (either.length > 0 && cells.some(cell => typeof cell === 'string' && /^[+-]?\d{4,}$/.test(cell)))
      if (either.every(cell => cell.includes(',') === hasCommas)) decided.add(hasCommas ? 'comma' : 'point')
  }
  if (counts.point + counts.comma > 0) return counts.comma > counts.point ? 'comma' : 'point'
  if (unclear === undefined) return undefined
  return decided.size === 1 ? ([...decided][0] as DecimalMark) : { unclear }
}

/** A cell in quotation marks, shortened, for a message. */
export const quoteCell = (cell: string): string =>
  JSON.stringify(cell.length > maxQuotedLength ? `${cell.slice(0, maxQuotedLength - 1)}…` : cell)

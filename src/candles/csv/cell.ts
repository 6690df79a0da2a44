/** Which character begins the decimals of a number. The other one separates thousands. */
export type DecimalMark = 'point' | 'comma'

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
/** A number with what people write around it: a currency, separators of thousands, and a size such as K. */
const decorated = {
  point: /^([+-]?)[$€£]?\s?((?:\d+|\d{1,3}(?:[,'\s]\d{3})+)(?:\.\d*)?|\.\d+)\s?([kmbt]?)$/i,
  comma: /^([+-]?)[$€£]?\s?((?:\d+|\d{1,3}(?:[.'\s]\d{3})+)(?:,\d*)?)\s?([kmbt]?)\s?[$€£]?$/i,
} as const satisfies Record<DecimalMark, RegExp>
/** What stands in a cell that has no value. */
const missing = /^(?:-|–|null|nan|n\/a|none)?$/i
const sizes: Readonly<Record<string, string>> = { k: 'e3', m: 'e6', b: 'e9', t: 'e12' }
const maxQuotedLength = 40

/** Whether a cell holds a decimal number, with or without an exponent. */
export const isNumber = (cell: string): boolean => decimal.test(cell)

/** Whether a cell says that there is no value: it is empty, `null`, `NaN`, `N/A` or a dash. */
export const isMissing = (cell: string): boolean => missing.test(cell)

/**
 * The number in a cell: with an exponent, or with a currency, separators of thousands or one of the sizes K, M, B and T.
 * NaN where there is none.
 */
export function parseNumber(cell: string, mark: DecimalMark = 'point'): number {
  if (mark === 'point' && decimal.test(cell)) return Number(cell)
  const [, sign = '', digits, size = ''] = decorated[mark].exec(cell) ?? []
  if (digits === undefined) return Number.NaN
  const plain =
    mark === 'point' ? digits.replace(/[,'\s]/g, '') : digits.replace(/[.'\s]/g, '').replace(',', '.')
  return Number(`${sign}${plain}${sizes[size.toLowerCase()] ?? ''}`)
}

/**
 * The decimal mark that numbers show, `either` where they can be read with both and differ. A comma followed by three digits may be of
 * thousands or of decimals; any other number of digits shows that it is the mark.
 */
export function decimalMarkOf(cells: readonly string[]): DecimalMark | 'either' {
  const numbers = cells.filter(cell => /\d/.test(cell))
  const [withPoint, withComma] = (['point', 'comma'] as const).map(mark =>
    numbers.every(cell => !Number.isNaN(parseNumber(cell, mark))),
  )
  if (!withComma || !numbers.some(cell => cell.includes(','))) return 'point'
  if (!withPoint) return 'comma'
  return 'either'
}

/** A cell in quotation marks, shortened, for a message. */
export const quoteCell = (cell: string): string =>
  JSON.stringify(cell.length > maxQuotedLength ? `${cell.slice(0, maxQuotedLength - 1)}…` : cell)

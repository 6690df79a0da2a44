import { formatCount } from '../../src/candles/format-count.js'
import type { Timeframe } from '../view/view.js'
import { faultRange } from './expression.js'

/** Input of the form of a screen. */
export interface ScreenForm {
  readonly exchange: string
  readonly timeframe: Timeframe
  readonly quote: string
  /** Symbols between commas or blanks; empty for all symbols of the quote, or all. */
  readonly symbols: string
  readonly where: string
  /** One expression in each line, with or without a name before it: `rsi = rsi(14)`. */
  readonly columns: string
}

/** A list of symbols that belongs to the key. */
export interface SymbolList {
  readonly name: string
  readonly symbols: readonly string[]
}

/** Completions for the symbols of a form: a list that replaces the last word, with its length. */
export function listChoices(
  text: string,
  lists: readonly SymbolList[],
): readonly { readonly value: string; readonly label: string }[] {
  const before = text.slice(0, text.length - (/(?<![^\s,;])[^\s,;]*$/.exec(text)?.[0].length ?? 0))
  return lists.map(({ name, symbols: { length } }) => ({
    value: `${before}list:${name}`,
    label: formatCount(length, 'symbol'),
  }))
}

/** A column of the table: an expression of the form. */
export interface ScreenColumn {
  readonly label: string
  readonly expression: string
  /** Start of the expression in the text of the columns. */
  readonly from: number
}

/** A fault of a form with its field. */
export interface ScreenFault {
  readonly text: string
  readonly field: 'where' | 'columns' | undefined
  /** The range of the fault in that field's text, if known. */
  readonly range: readonly [from: number, to: number] | undefined
}

/** Maximum number of columns: the service returns up to 12 values with each match, and the page requests the close. */
const maxColumns = 11

/** The columns of a text; empty lines are skipped. */
export function readColumns(text: string): readonly ScreenColumn[] {
  const columns: ScreenColumn[] = []
  let from = 0
  for (const line of text.split('\n')) {
    // A name and one equals sign: `close == open` is an expression.
    const [before = '', name = ''] = /^\s*(?:(\w+)\s*=(?!=)\s*)?/.exec(line) ?? []
    const expression = line.slice(before.length).trimEnd()
    if (expression !== '' || name !== '')
      columns.push({ label: name || expression, expression, from: from + before.length })
    from += line.length + 1
  }
  return columns
}

const wireName = (at: number) => `c${at + 1}`

/** The names of a match's values for the columns of a table: its close, then the columns of the form. */
export const valueNames = (columns: readonly ScreenColumn[]): readonly string[] => [
  'close',
  ...columns.map((_, at) => wireName(at)),
]

/** The fields of the `screen` message for a form, or the fault of the form. */
export function screenRequest(
  { exchange, timeframe, quote, symbols, where }: ScreenForm,
  columns: readonly ScreenColumn[],
): { readonly request: object } | { readonly fault: ScreenFault } {
  if (columns.length > maxColumns) {
    const text = `There may be at most ${maxColumns} columns.`
    return { fault: { text, field: 'columns', range: undefined } }
  }
  const list = symbols.split(/[\s,;]+/).filter(Boolean)
  const chosen = columns.map(({ expression }, at) => [wireName(at), expression])
  return {
    request: {
      exchange: exchange.trim().toLowerCase(),
      timeframe,
      ...(list.length > 0 ? { symbols: list } : {}),
      ...(quote.trim() ? { quote: quote.trim() } : {}),
      where,
      select: { close: 'close', ...Object.fromEntries(chosen) },
    },
  }
}

/** Finds the subject of an error of the service. */
export function locateFault(error: string, where: string, columns: readonly ScreenColumn[]): ScreenFault {
  const [, name, rest = error] = /^(where|select\.c\d+)(?:: | (?=must be ))(.*)$/s.exec(error) ?? []
  if (name === undefined) return { text: error, field: undefined, range: undefined }
  if (name === 'where') return { text: `Condition: ${rest}`, field: 'where', range: faultRange(where, rest) }
  const column = columns[Number(name.slice('select.c'.length)) - 1]
  if (!column) return { text: error, field: undefined, range: undefined }
  const range = faultRange(column.expression, rest)
  return {
    text: `Column ${column.label}: ${rest}`,
    field: 'columns',
    range: range && [column.from + range[0], column.from + range[1]],
  }
}

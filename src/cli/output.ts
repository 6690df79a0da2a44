import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Help } from 'commander'
import { formatCount } from '../candles/format-count.js'
import type { Gap } from '../candles/gaps.js'
import { candlesBetween, type Timeframe } from '../candles/timeframe.js'
import { CommandFailure, type CommonOptions } from './failure.js'

/** Prints the result of a command: `text`, or with --json the value as JSON. */
export const printResult = (value: unknown, { json }: CommonOptions, text: () => string): void =>
  console.log(json ? JSON.stringify(value, null, 2) : text())

/**
 * Writes text to standard output, or to the file `out`, with backpressure. Throws CommandFailure if the text cannot be written, and
 * the errors of `text`.
 */
export async function writeText(text: Iterable<string> | AsyncIterable<string>, out?: string): Promise<void> {
  let failure: unknown
  async function* source() {
    try {
      yield* text
    } catch (error) {
      failure = error
      throw error
    }
  }
  try {
    if (out === undefined) await pipeline(Readable.from(source()), process.stdout, { end: false })
    else await pipeline(Readable.from(source()), createWriteStream(out))
  } catch (error) {
    if (failure !== undefined) throw failure
    // The program that reads standard output may end early, as `head` does.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return
    throw new CommandFailure(`Cannot write ${out ?? 'to standard output'}: ${(error as Error).message}`)
  }
}

/** Formats a header and rows as text. Each column is as wide as its longest cell. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map(title => title.length)
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  return [head, ...rows]
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * Formats the number of gaps. `describe` adds details. It is called with the text of the number of missing candles, and the longest
 * gap.
 */
export function formatGaps(
  gaps: Iterable<Gap>,
  timeframe: Timeframe,
  describe: (missing: string, longest: Gap) => string,
): string {
  let count = 0
  let missing = 0
  let longest: Gap | undefined
  for (const gap of gaps) {
    count++
    missing += candlesBetween(timeframe, gap.from, gap.to)
    if (longest === undefined || gap.to - gap.from > longest.to - longest.from) longest = gap
  }
  if (longest === undefined) return 'no gaps'
  return `${formatCount(count, 'gap')}${describe(formatCount(missing, 'candle'), longest)}`
}

/** Width of a text if the width of the terminal is unknown. Wider texts are hard to read. */
const defaultWidth = 80
const maxWidth = 110
/** Minimum width of lines. They overflow a narrower terminal. */
const minWidth = 20

export const terminalWidth = (): number => process.stdout.columns || defaultWidth

/** Wraps a text to lines that fit into the terminal, and indents each line. */
export function wrapText(text: string, indent = 0): string {
  const width = Math.max(minWidth, Math.min(maxWidth, terminalWidth()) - indent)
  const wrapped = Object.assign(new Help(), { minWidthToWrap: minWidth }).boxWrap(text, width)
  return wrapped.replaceAll(/^/gm, ' '.repeat(indent))
}

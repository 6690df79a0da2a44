import { type Command, InvalidArgumentError, Option } from 'commander'
import { type ColumnName, columnNames } from '../candles/columns.js'
import type { DecimalMark } from '../candles/files/cell.js'
import { explainFiles, type ReadingOptions } from '../candles/files/read.js'
import type { CsvOptions } from '../candles/files/roles.js'
import { type DateForm, parseZone, type Zone } from '../candles/files/time.js'
import type { CommonOptions } from './failure.js'
import { printResult } from './output.js'

/** Options for the format of a file, if the file itself is ambiguous. */
export interface FileOptions {
  readonly columns?: CsvOptions['columns']
  readonly decimal?: DecimalMark
  readonly dates?: DateForm
  readonly utcOffset?: Zone
  readonly sheet?: string
  readonly explain?: true
}

export const addFileOptions = (command: Command): Command =>
  command
    .option(
      '--columns <field=column,…>',
      'which columns to read, by name or number, such as time=Date,volume=6 or time=Day+Hour; the others are found',
      parseColumns,
    )
    .addOption(
      new Option('--decimal <mark>', 'what begins decimals; found where the numbers show it').choices([
        'point',
        'comma',
      ]),
    )
    .addOption(
      new Option(
        '--dates <form>',
        'order of dates such as 01/02/2024 or 240131, found where they show it; or excel, whose dates are numbers of days',
      ).choices(['dmy', 'mdy', 'ymd', 'excel']),
    )
    .option(
      '--utc-offset <offset>',
      'offset or zone of times without one, such as -05:00 or America/New_York',
      parseOffset,
    )
    .option('--sheet <name>', 'which sheet of an .xlsx to read, by name or number; the first one if omitted')
    .option('--explain', 'print which column is read as what, and stop')

export const readingOf = ({ columns, decimal, dates, utcOffset, sheet }: FileOptions): ReadingOptions => ({
  ...(columns ? { columns } : {}),
  decimalMark: decimal,
  dateForm: dates,
  zone: utcOffset,
  sheet,
})

function parseColumns(text: string): NonNullable<CsvOptions['columns']> {
  const columns: Partial<Record<ColumnName, string>> = {}
  for (const part of text.split(',')) {
    const [, name = '', column = ''] = /^(\w+)\s*=(.+)$/.exec(part.trim()) ?? []
    const field = columnNames.find(each => each === (name === 'time' ? 'timestamp' : name))
    if (field === undefined) throw new InvalidArgumentError('Expected columns such as time=Date,volume=6.')
    columns[field] = column.trim()
  }
  return columns
}

function parseOffset(text: string): Zone {
  const zone = parseZone(text)
  if (zone !== undefined) return zone
  throw new InvalidArgumentError('Expected an offset or a zone such as -05:00 or America/New_York.')
}

/** Prints the assignment of columns to fields per file, in one line. Throws FileFailure if it cannot be determined. */
export async function printExplanations(
  paths: readonly string[],
  options: ReadingOptions,
  common: CommonOptions,
): Promise<void> {
  for await (const found of explainFiles(paths, options))
    printResult(found, common, () => `${found.file}: ${found.reading}`)
}

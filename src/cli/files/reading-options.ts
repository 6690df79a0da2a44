import { type Command, InvalidArgumentError, Option } from 'commander'
import { type ColumnName, columnNames } from '../../candles/columns.js'
import type { DecimalMark } from '../../candles/csv/cell.js'
import type { CsvOptions } from '../../candles/csv/layout.js'
import { type DateOrder, offsetOf } from '../../candles/csv/time.js'

/** The options by which a person says how a file is written, where it does not show it. */
export interface FileOptions {
  readonly columns?: CsvOptions['columns']
  readonly decimal?: DecimalMark
  readonly dates?: DateOrder
  readonly utcOffset?: number
}

/** Adds the options of a command that reads files of candles. */
export const addFileOptions = (command: Command): Command =>
  command
    .option(
      '--columns <field=column,…>',
      'which columns to read, by name or number, such as time=Date,volume=6; the others are found',
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
        '--dates <order>',
        'whether dates such as 01/02/2024 begin with the day or the month; found where they show it',
      ).choices(['dmy', 'mdy']),
    )
    .option('--utc-offset <offset>', 'offset of times without one, such as -05:00', parseOffset)

export const readingOf = ({ columns, decimal, dates, utcOffset }: FileOptions): CsvOptions => ({
  ...(columns ? { columns } : {}),
  decimalMark: decimal,
  dateOrder: dates,
  utcOffset,
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

function parseOffset(text: string): number {
  if (/^(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return offsetOf(text)
  throw new InvalidArgumentError('Expected an offset such as -05:00.')
}

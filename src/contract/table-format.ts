import { z } from 'zod'
import { once } from '../runtime/once.js'

export const tableFormats = ['csv', 'ndjson', 'arrow'] as const
export type TableFormat = (typeof tableFormats)[number]
export type AnswerFormat = 'json' | TableFormat

/** Media type of each format. Source of the Arrow type: IANA's registry of media types. */
export const mediaTypes: Readonly<Record<TableFormat, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  arrow: 'application/vnd.apache.arrow.stream',
}

const otherNames: Readonly<Record<string, AnswerFormat>> = {
  'application/ndjson': 'ndjson',
  'application/json': 'json',
  'application/*': 'json',
  '*/*': 'json',
}

export const formatOfType = (type: string): AnswerFormat | undefined =>
  tableFormats.find(format => mediaTypes[format] === type) ?? otherNames[type]

/** Format of a body, from its `Content-Type`; undefined if the body is no table. */
export function tableFormatOf(contentType: string): TableFormat | undefined {
  if (contentType === 'application/json') return undefined
  const format = formatOfType(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  return format === 'json' ? undefined : format
}

/** Query string field that selects the format of the answer. */
export const formatShape = once(() => ({
  format: z
    .enum(['json', ...tableFormats])
    .optional()
    .describe('The format of the answer, where it is not chosen by the field `Accept` of the request.'),
}))

/** Query string fields of a bulk request. */
export const bulkFormatShape = once(() => ({
  ...formatShape(),
  layout: z
    .enum(['long', 'wide'])
    .optional()
    .describe(
      'Layout of a table: `long` has a row for each candle of each indicator, `wide` a row for each candle, with a column for each indicator.',
    ),
}))

export const evaluationParts = ['returns', 'trades', 'equity'] as const
export type EvaluationPart = (typeof evaluationParts)[number]

/** Query string fields of an evaluation. */
export const evaluationFormatShape = once(() => ({
  ...formatShape(),
  part: z
    .enum(evaluationParts)
    .optional()
    .describe(
      'Content of a table: the returns after the signals (default), the trades, or the equity curve.',
    ),
}))

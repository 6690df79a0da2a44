import { z } from 'zod'
import { once } from '../runtime/once.js'

/** The formats of answers that are tables. */
export const tableFormats = ['csv', 'ndjson', 'arrow'] as const
export type TableFormat = (typeof tableFormats)[number]
export type AnswerFormat = 'json' | TableFormat

/** The media types of the formats. Source of that of Arrow: IANA's registry of media types. */
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

/** The format of a media type. */
export const formatOfType = (type: string): AnswerFormat | undefined =>
  tableFormats.find(format => mediaTypes[format] === type) ?? otherNames[type]

/** The format of a body, by its `Content-Type`; undefined where it is no table. */
export function tableFormatOf(contentType: string): TableFormat | undefined {
  if (contentType === 'application/json') return undefined
  const format = formatOfType(contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  return format === 'json' ? undefined : format
}

/** The field of a query string that chooses the format of the answer. */
export const formatShape = once(() => ({
  format: z
    .enum(['json', ...tableFormats])
    .optional()
    .describe('The format of the answer, where it is not chosen by the field `Accept` of the request.'),
}))

/** The fields of the query string of a bulk request. */
export const bulkFormatShape = once(() => ({
  ...formatShape(),
  layout: z
    .enum(['long', 'wide'])
    .optional()
    .describe(
      'Of a table: `long` has a row for each candle of each indicator, `wide` a row for each candle, with a column for each indicator.',
    ),
}))

/** The part of an evaluation that is a table. */
export const evaluationParts = ['returns', 'trades', 'equity'] as const
export type EvaluationPart = (typeof evaluationParts)[number]

/** The fields of the query string of an evaluation. */
export const evaluationFormatShape = once(() => ({
  ...formatShape(),
  part: z
    .enum(evaluationParts)
    .optional()
    .describe(
      'Of a table: the returns after the signals (which is the default), the trades, or the equity curve.',
    ),
}))

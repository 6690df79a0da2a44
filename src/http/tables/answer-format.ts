import { type Fields, readShape, refuseUnknown, type Shape, type ValuesOf } from '../../contract/fields.js'
import { readQueryString } from '../../contract/query-string.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { type AnswerFormat, formatOfType, formatShape } from '../../contract/table-format.js'
import type { QueryHead } from '../reply.js'

/** Options of a request about its answer. */
type AnswerOptions<S extends Shape> = Omit<ValuesOf<S>, 'format'> & { readonly format: AnswerFormat }

const namesTable = /csv|ndjson|arrow/i

/**
 * Format of the answer to a request. The format in the query string comes first, then the one that the `Accept` field
 * prefers (RFC 9110, section 12.5.1). JSON if the field names no table. Among equal weights the first format wins, but
 * named types come before wildcards.
 */
export function formatOf(named: AnswerFormat | undefined, head: Pick<QueryHead, 'header'>): AnswerFormat {
  if (named !== undefined) return named
  const accept = head.header('accept')
  if (accept === '' || accept === '*/*' || !namesTable.test(accept)) return 'json'
  let best: AnswerFormat = 'json'
  let bestWeight = 0
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map(text => text.trim())
    const format = formatOfType(type)
    if (format === undefined) continue
    const weight = Number(parameters.find(each => each.startsWith('q='))?.slice(2) ?? 1)
    const share = type.endsWith('*') ? weight * 0.999 : weight
    if (share > bestWeight) [best, bestWeight] = [format, share]
  }
  return best
}

/** Reads the query string of a POST, which may only have the fields of a shape. The refusal names `path`. */
export function readAnswerOptions<S extends ReturnType<typeof formatShape>>(
  head: QueryHead,
  shape: () => S,
  path: string,
): AnswerOptions<S> | Refusal {
  if (head.queryString === '') return { format: formatOf(undefined, head) } as AnswerOptions<S>
  const fields = readQueryString(head.queryString)
  if (isRefusal(fields)) return fields
  const known = shape()
  const read =
    refuseUnknown(fields.keys(), `The query string of ${path}`, Object.keys(known)) ??
    readShape(known, Object.fromEntries(fields), undefined, 'text')
  return isRefusal(read)
    ? read
    : ({ ...read, format: formatOf(read.format, head) } as unknown as AnswerOptions<S>)
}

/** Reads the format in the fields of a query string; undefined if they have none. */
export function readNamedFormat(fields: Fields): { readonly format?: AnswerFormat | undefined } | Refusal {
  if (!fields.has('format')) return {}
  return readShape(formatShape(), { format: fields.get('format') }, undefined, 'text')
}

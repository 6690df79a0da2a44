import { z } from 'zod'
import { formatTime } from '../candles/format-time.js'
import { once } from '../runtime/once.js'
import { type Fields, optional, readShape, refusedBy, type ValueFormat } from './fields.js'
import { isAbsent } from './json-value.js'
import { invalidValue, type Refusal } from './refusals.js'

/** Range of candle open times in Unix seconds, both ends included. */
export interface TimeRange {
  readonly from: number
  /** Last open time; Infinity for the newest candle. */
  readonly to: number
}

/** A date, or a date with a time. The time is UTC unless it has an offset. */
const isoTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/
/** Maximum of Unix seconds. Larger numbers are milliseconds. */
const maxSeconds = 1e11

/** Unix seconds of a time in ISO 8601; undefined if the text is no such time. */
export function secondsOf(text: string): number | undefined {
  const [, date, time = '00:00', zone = 'Z'] = isoTime.exec(text) ?? []
  if (date === undefined) return undefined
  const day = Date.parse(`${date}T00:00Z`)
  // JavaScript parses 31 February as 3 March.
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== date) return undefined
  const milliseconds = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}

/** Unix seconds as text, with nine to eleven digits. No date has this form. */
const secondsText = /^\d{9,11}(?:\.\d+)?$/

/** Unix seconds of a text in a JSON body: Unix seconds as text, or ISO 8601. */
const secondsOfText = (text: string): number | undefined =>
  secondsText.test(text) ? Number(text) : secondsOf(text)

export const timeSchema = (description: string) =>
  refusedBy(
    optional(
      z.xor([
        z.number().min(0).max(maxSeconds),
        z.string().transform(secondsOfText).pipe(z.number().max(maxSeconds)),
      ]),
    ).meta({ description, examples: ['2025-01-31', '2025-01-31T12:00:00Z', 1_738_281_600] }),
    (value, name) =>
      invalidValue(
        name,
        typeof value === 'string' ? value.slice(0, 60) : JSON.stringify(value),
        'Unix seconds or a time such as 2025-01-31T12:00:00Z',
      ),
  )

/** Fields that select a window of values by time. */
export const rangeShape = once(() => ({
  from: timeSchema(
    'First candle open time, inclusive: Unix seconds, or ISO 8601 in UTC. With `from` or `to`, the reply has all values of the range. Not together with `results` and `backtrack`.',
  ),
  to: timeSchema('Last candle open time, inclusive. Default: the newest candle.'),
}))

export const maxAgeShape = once(() => ({
  maxAge: optional(z.int().min(0)).describe(
    'Maximum age of the newest candle: seconds since its end. By default old candles are accepted and marked.',
  ),
}))
export const maxAgeName = 'maxAge'

export const ageShape = once(() => ({
  asOf: timeSchema(
    'Reference time: Unix seconds, or ISO 8601 in UTC. Uses the candles that had closed by this time, without later corrections. Refused if corrections since then are not stored.',
  ),
  ...maxAgeShape(),
}))
export const asOfName = 'asOf'
export const ageNames: readonly string[] = [asOfName, maxAgeName]

export interface CandleAge {
  /** Time in Unix seconds. Uses the candles as they were known at this time. */
  readonly asOf?: number | undefined
  /** Maximum seconds since the end of the newest candle. */
  readonly maxAge?: number | undefined
}

/** Reads the reference time and the maximum age of candles. */
export function readAge(fields: Pick<Fields, 'get'>, format: ValueFormat): CandleAge | Refusal {
  const given = { asOf: fields.get(asOfName), maxAge: fields.get(maxAgeName) }
  if (isAbsent(given.asOf) && isAbsent(given.maxAge)) return {}
  return readShape(ageShape(), given, undefined, format)
}

export const textOfRange = ({ from, to }: TimeRange): string =>
  `from ${from === Number.NEGATIVE_INFINITY ? 'the first one' : formatTime(from)} to ${to === Number.POSITIVE_INFINITY ? 'now' : formatTime(to)}`

import type { NumberWriter } from '../json/number-writer.js'
import type { JsonSink } from '../json/sink.js'
import type { Calculator } from '../kernels/calculator.js'
import { formatAt, type OutputFormat } from '../kernels/output-format.js'

const comma = 0x2c

/** The values that are written next. A kernel has at most 16 outputs, and each has up to two values. */
const written = new Float64Array(32)

/** The candles of which `NewestValues` has the values. */
export const newestClosed = 0
export const formingNext = 1
export type Place = typeof newestClosed | typeof formingNext

/**
 * The values of the newest closed candle and of the forming one: for each column of the kernel two numbers side by side. They
 * become text only where an answer contains them: most answers contain only one of the two.
 */
export type NewestValues = Float64Array

export const newestValuesOf = (columns: number): NewestValues => new Float64Array(2 * columns)

/** Takes the values of candle `i`, for which the kernel was run last. */
export function takeNewest(values: NewestValues, place: Place, calculator: Calculator, i: number): void {
  for (let k = 0; 2 * k < values.length; k++) values[2 * k + place] = calculator.value(k, i)
}

/** The texts of one candle, one for each output; by `writer` where all of them are numbers. */
export function newestTextsOf(
  values: NewestValues,
  place: Place,
  formats: readonly OutputFormat[],
  writer: NumberWriter | undefined,
): readonly string[] {
  if (!writer) return formats.map(format => formatAt(format, column => values[2 * column + place] as number))
  for (let k = 0; k < formats.length; k++) written[k] = values[2 * k + place] as number
  return writer.texts(written, formats.length)
}

/** Writes the values of the places [from, to) of all outputs, which are numbers, with what stands before each. */
export function writeNewest(
  values: NewestValues,
  formats: readonly OutputFormat[],
  from: number,
  to: number,
  writer: NumberWriter,
  sink: JsonSink,
): void {
  let count = 0
  for (let k = 0; k < formats.length; k++)
    for (let place = from; place < to; place++) written[count++] = values[2 * k + place] as number
  writer.write(written, 0, count)
  const { text } = writer
  let at = 0
  for (let k = 0; k < formats.length; k++) {
    sink.add((formats[k] as OutputFormat).head)
    let end = at
    for (let left = to - from; left > 0; end++) if (text[end] === comma) left--
    if (end > at) sink.addBytes(text, at, end - 1)
    at = end
  }
}

/** The same for outputs that are not all numbers. */
export function formatNewest(
  values: NewestValues,
  formats: readonly OutputFormat[],
  from: number,
  to: number,
  sink: JsonSink,
): void {
  for (const format of formats) {
    sink.add(format.head)
    for (let place = from; place < to; place++) {
      if (place > from) sink.add(',')
      sink.add(formatAt(format, column => values[2 * column + place] as number))
    }
  }
}

import { type Side, sideOf, sideOfValue } from '../../src/catalogue/shape.js'
import { type Description, defaultOf, type Shape } from '../model/catalogue.js'
import { type Candle, indexAt, type StudyRow } from '../model/rows.js'
import type { Parameters } from '../view/view.js'

export type { Shape, Side }

/** Whether an indicator has a pane of its own. */
export const hasOwnPane = ({ drawing }: Description): boolean => drawing.some(({ pane }) => pane === 'own')

/** The place of an output among the values of a row. */
export const placeOf = ({ outputs }: Description, output: string): number =>
  outputs.findIndex(({ name }) => name === output)

/** A name as words: `upper band` of `valueUpperBand`. */
export const wordsOf = (name: string): string =>
  name
    .replace(/^value(Real)?(?=[A-Z])/, '')
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    // An abbreviation stays upper case.
    .map(word => (/^[A-Z]{2,}/.test(word) ? word : word.toLowerCase()))
    .join(' ')

/** The text at a level: the label of the shape, or the name of the output if it adds something to the indicator's name. */
export function levelLabel({ label }: Shape, output: string): string {
  if (label !== undefined) return label
  if (output === 'value' || output === 'level') return ''
  return /^[a-z]\d?$/.test(output) ? output.toUpperCase() : wordsOf(output)
}

/** Candles by which a shape is drawn later than its candle; below 0 if earlier. */
export function shiftOf({ ahead, behind }: Shape, description: Description, given: Parameters): number {
  const numberOf = (shift: number | string | undefined): number => {
    if (typeof shift !== 'string') return shift ?? 0
    const parameter = description.parameters.find(({ name }) => name === shift)
    return Number(given[shift] ?? (parameter && defaultOf(parameter, given)) ?? 0)
  }
  return numberOf(ahead) - numberOf(behind)
}

/** The candle of a row. */
export function candleAt(candles: readonly Candle[], timestamp: number): Candle | undefined {
  const candle = candles[indexAt(candles, timestamp)]
  return candle?.timestamp === timestamp ? candle : undefined
}

export function sideOfOutput(description: Description, output: string, row: StudyRow): Side {
  const at = placeOf(description, output)
  return sideOfValue(row.values[at], description.outputs[at]?.directions)
}

/** The side that gives the value of a row its colour; undefined if it has the colour of its shape. */
export function sideOfRow(
  shape: Shape,
  description: Description,
  value: number,
  row: StudyRow,
  before: number | undefined,
  candle: Candle | undefined,
): Side | undefined {
  const by = shape.colouredBy === undefined ? undefined : sideOfOutput(description, shape.colouredBy, row)
  return sideOf(shape, value, { before, close: candle?.close, by })
}

/** Largest number of numeric outputs that the legend shows; the picture shows more. */
const mostNumbers = 6

/** The outputs with values in the legend: texts, all levels, and other drawn numbers unless there are too many. If no number is drawn, all numbers count. */
export function legendOutputs({ outputs, drawing }: Description): readonly number[] {
  const of = (test: (shape: Shape) => boolean) =>
    new Set(drawing.filter(test).flatMap(shape => shape.outputs))
  const levels = of(({ kind }) => kind === 'level')
  const drawn = of(({ kind }) => kind !== 'mark' && kind !== 'retracement')
  const pictured = of(({ kind }) => kind === 'mark' || kind === 'retracement')
  const numbers = outputs.filter(
    ({ name, kind }) => kind === 'number' && !pictured.has(name) && (drawn.size === 0 || drawn.has(name)),
  )
  const isTooMany = numbers.filter(({ name }) => !levels.has(name)).length > mostNumbers
  const shown = new Set(numbers.filter(({ name }) => levels.has(name) || !isTooMany).map(({ name }) => name))
  return outputs.flatMap(({ name, kind }, at) => (kind !== 'number' || shown.has(name) ? [at] : []))
}

/** The name next to a value; empty if it adds nothing to the name of the indicator. */
export function legendName(description: Description, at: number): string {
  const { id, outputs } = description
  const { name = '', kind } = outputs[at] ?? {}
  const shown = legendOutputs(description).filter(place => outputs[place]?.kind === 'number')
  const isOnly = kind === 'number' ? shown.length === 1 : kind !== 'label'
  if (isOnly && (name === 'value' || name === id || kind === 'names')) return ''
  return /^[a-z]\d$/.test(name) || (name === 'p' && shown.length > 1) ? name.toUpperCase() : wordsOf(name)
}

/** A price of the picture that is no output: that of a line of the candles, or a level of a retracement. */
export interface PicturedPrice {
  readonly name: string
  readonly colour: Shape['colour']
  /** The price at the candle of a row; `isNewest` if no candle is chosen. */
  readonly at: (row: StudyRow, candles: readonly Candle[], isNewest: boolean) => number | undefined
}

/** The prices that the legend has next to the outputs. */
export const picturedPrices = (description: Description, params: Parameters): readonly PicturedPrice[] =>
  description.drawing.flatMap((shape): readonly PicturedPrice[] => {
    const { kind, price, label, colour, ratios = [], outputs } = shape
    if (price !== undefined && label !== undefined) {
      const shift = shiftOf(shape, description, params)
      const at: PicturedPrice['at'] = ({ timestamp }, candles, isNewest) =>
        (isNewest ? candles.at(-1) : candles[indexAt(candles, timestamp) - shift])?.[price]
      return [{ name: label, colour, at }]
    }
    if (kind !== 'retracement') return []
    const [startAt = -1, endAt = -1] = outputs.map(output => placeOf(description, output))
    return ratios.map(ratio => ({
      name: String(ratio),
      colour,
      at: ({ values }) => {
        const [start, end] = [values[startAt], values[endAt]]
        return typeof start === 'number' && typeof end === 'number' ? end + (start - end) * ratio : undefined
      },
    }))
  })

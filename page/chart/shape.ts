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

/** The side of an output at a row. */
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
/** From this number of levels on, the picture names them instead of the legend. */
const manyLevels = 4

/**
 * The outputs with values in the legend: texts, and drawn numbers, unless the picture names them or there are too many. If
 * no number is drawn, all numbers count.
 */
export function legendOutputs({ outputs, drawing }: Description): readonly number[] {
  const of = (test: (shape: Shape) => boolean) =>
    new Set(drawing.filter(test).flatMap(shape => shape.outputs))
  const levels = of(({ kind }) => kind === 'level')
  const drawn = of(({ kind }) => kind !== 'mark' && kind !== 'retracement')
  const isInPicture = (name: string) => levels.size >= manyLevels && levels.has(name)
  const pictured = of(({ kind }) => kind === 'mark' || kind === 'retracement')
  const numbers = outputs.filter(
    ({ name, kind }) =>
      kind === 'number' && !pictured.has(name) && (drawn.size === 0 || drawn.has(name)) && !isInPicture(name),
  )
  const shown = new Set(numbers.length > mostNumbers ? [] : numbers.map(({ name }) => name))
  return outputs.flatMap(({ name, kind }, at) => (kind !== 'number' || shown.has(name) ? [at] : []))
}

/** The name next to a value; empty if it adds nothing to the name of the indicator. */
export function legendName(description: Description, at: number): string {
  const { id, outputs } = description
  const { name = '', kind } = outputs[at] ?? {}
  const shown = legendOutputs(description).filter(place => outputs[place]?.kind === 'number')
  const isOnly = kind === 'number' ? shown.length === 1 : kind !== 'label'
  return isOnly && (name === 'value' || name === id || kind === 'names') ? '' : wordsOf(name)
}

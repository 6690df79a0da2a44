import { didYouMean, nearNames } from './hints.js'
import { quote, type Refusal, refusal } from './refusal.js'

const at = (position: number, fault: string): Refusal =>
  refusal(400, `Invalid expression at character ${position}: ${fault}`)

/** A value of single markets that is not within one of `aggregates`, which make one value of those of all markets. */
export const notOverMarkets = (position: number, name: string, aggregates: readonly string[]): Refusal =>
  at(
    position,
    `"${quote(name)}" is of a single market. Write it within ${aggregates.map(each => `${each}(…)`).join(', ')}`,
  )

/** An aggregate without its one argument. */
export const wrongAggregate = (position: number, name: string): Refusal =>
  at(position, `${name} takes one expression`)

/** The parameter of a measure that has a name. */
export const badMeasureCandles = (position: number, name: string, most: number | undefined): Refusal =>
  at(
    position,
    most === undefined
      ? `${name} has no parameters`
      : `${name} takes one integer of 1 to ${most}, a number of candles`,
  )

export const tooManyAggregates = (most: number, aggregates: readonly string[]): Refusal =>
  refusal(400, `A measure may have at most ${most} different ${aggregates.join(', ')}`)

export const measuresNotObject = (value: string, most: number): Refusal =>
  refusal(400, `Invalid measures: ${quote(value)}. Expected an object with 1 to ${most} expressions by name`)

export const badMeasureName = (name: string): Refusal =>
  refusal(400, `Invalid name in measures: ${quote(name)}. Expected letters, digits and underscores`)

/** A name that is neither an aggregate nor a measure. */
export const unknownMeasure = (position: number, name: string, names: Iterable<string>): Refusal =>
  at(position, `unknown name "${quote(name)}"${didYouMean(nearNames(name, names))}`)

import { didYouMean, nearNames } from './hints.js'
import { expected, invalid, quote, type Refusal, refusal } from './refusals.js'

export interface ExpressionRefusal extends Refusal {
  /** Position of the first character of the fault, counted from 1. Undefined if the fault concerns the whole text. */
  readonly position?: number
}

const at = (position: number, fault: string, hint = ''): ExpressionRefusal => ({
  ...refusal(400, `Invalid expression at character ${position}: ${fault}${hint}`),
  position,
  ...(hint === '' ? {} : { hint }),
})

export const withNearest = (refused: ExpressionRefusal, text: string): ExpressionRefusal => ({
  ...refused,
  error: `${refused.error}${/[.?]$/.test(refused.error) ? '' : '.'} Nearest valid form: ${text}`,
})

export const expressionNotText = (value: unknown): Refusal =>
  refusal(400, `Invalid expression: ${quote(value)}. Expected text`)

export const scriptNotText = (value: unknown): Refusal =>
  refusal(400, `Invalid script: ${quote(value)}. Expected text`)

export const tooManyExpressions = (bytes: number, of: 'subscriptions' | 'alerts'): Refusal =>
  refusal(
    429,
    `Too many long expressions. Those of your ${of} may take ${bytes / 2 ** 20} MiB of memory together; shorter and equal ones take less.`,
  )

export const expressionEmpty = (): ExpressionRefusal => at(1, 'the text is empty')

export const expressionTooLong = (limit: number): ExpressionRefusal =>
  at(limit + 1, `an expression may have at most ${limit} characters`)

export const expressionTooDeep = (position: number, limit: number): ExpressionRefusal =>
  at(position, `parts may be nested at most ${limit} deep`)

/** `what` names the counted parts, as in `different parts`. */
export const expressionTooCostly = (position: number, limit: number, what: string): ExpressionRefusal =>
  at(position, `an expression may have at most ${limit} ${what}`)

export const unexpectedCharacter = (position: number, character: string): ExpressionRefusal => {
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return at(position, `unexpected character ${/[!-~]/.test(character) ? `"${character}"` : `U+${code}`}`)
}

export const unfinishedText = (position: number): ExpressionRefusal =>
  at(position, 'the text has no closing quotation mark')

/** `wanted` describes the expected token. `found` is the actual token, or undefined at the end of the text. */
export const unexpectedToken = (
  position: number,
  wanted: string,
  found: string | undefined,
  hint = '',
): ExpressionRefusal =>
  at(position, `expected ${wanted}, got ${found === undefined ? 'the end' : `"${quote(found)}"`}`, hint)

export const chainedComparison = (position: number): ExpressionRefusal =>
  at(position, 'comparisons cannot be chained', '. Write a < b and b < c')

/** `hint` is a sentence after the error, such as a call to write. */
export const unknownExpressionName = (position: number, name: string, hint: string): ExpressionRefusal =>
  at(position, `unknown name "${quote(name)}"`, hint)

/** Refusal of a function of Pine that has other arguments or another meaning here. `call` is what to write. */
export const writtenOtherwise = (position: number, name: string, call: string): ExpressionRefusal =>
  at(position, `${quote(name)} is not written as in Pine`, `. Write ${call}`)

export const functionWithoutArguments = (position: number, usage: string): ExpressionRefusal =>
  at(position, `arguments are missing`, `. Write ${usage}`)

export const wrongArguments = (position: number, name: string, usage: string): ExpressionRefusal =>
  at(position, `wrong number of arguments for ${name}`, `. Write ${usage}`)

export const outputMissing = (
  position: number,
  indicator: string,
  outputs: readonly string[],
): ExpressionRefusal =>
  at(
    position,
    `${indicator} has several outputs: ${outputs.join(', ')}`,
    `. Name one, as in ${indicator}.${outputs[0]}`,
  )

export const unknownOutput = (
  position: number,
  name: string,
  indicator: string,
  outputs: readonly string[],
): ExpressionRefusal => {
  const near = nearNames(name, outputs)
  return at(
    position,
    `${indicator} has no output "${quote(name)}"`,
    near.length > 0 ? didYouMean(near) : `. Its outputs are ${outputs.join(', ')}`,
  )
}

export const outputNotNumber = (position: number, indicator: string, output: string): ExpressionRefusal =>
  at(position, `the output ${output} of ${indicator} is text, which an expression cannot use`)

export const noOutputs = (position: number): ExpressionRefusal =>
  at(position, 'only an indicator has outputs')

export const badIndicatorParameter = (
  position: number,
  indicator: string,
  { error }: Refusal,
): ExpressionRefusal => at(position, `${indicator}: ${error}`)

export const tooManyPositional = (
  position: number,
  indicator: string,
  names: readonly string[],
): ExpressionRefusal =>
  at(
    position,
    `too many arguments for ${indicator}`,
    names.length === 0 ? '. It has no parameters' : `. Its parameters are ${names.join(', ')}`,
  )

export const positionalAfterNamed = (position: number): ExpressionRefusal =>
  at(position, 'an argument without a name follows one with a name')

export const parameterNotConstant = (position: number, name: string): ExpressionRefusal =>
  at(position, `${name} must be a number, true, false or a name, not a calculation`)

/** `count` is the number of expressions that an indicator accepts as inputs. */
export const inputNotAccepted = (position: number, indicator: string, count: 0 | 1 | 2): ExpressionRefusal =>
  at(
    position,
    count === 0
      ? `${indicator} reads several columns of the candle and cannot be applied to an expression`
      : count === 1
        ? `${indicator} is applied to one expression`
        : `${indicator} is applied to two expressions`,
  )

/** `wanted` is the required type of a value, and `found` is its actual type. */
export const wrongType = (
  position: number,
  what: string,
  wanted: 'number' | 'boolean',
  found: 'number' | 'boolean',
): ExpressionRefusal => {
  const need = { number: 'a number', boolean: 'a condition' } as const
  const hint =
    wanted === 'boolean' ? '. Compare it, as in x != 0' : '. Write if(condition, 1, 0) for a number'
  return at(position, `${what} needs ${need[wanted]}, got ${need[found]}`, hint)
}

export const differentTypes = (position: number, what: string): ExpressionRefusal =>
  at(position, `${what} needs two numbers or two conditions`)

export const badHistory = (position: number, limit: number): ExpressionRefusal =>
  at(position, `the number of candles ago must be a whole number from 0 to ${limit}`)

export const unknownExpressionTimeframe = (
  position: number,
  name: string,
  near: string | undefined,
  timeframes: readonly string[],
): ExpressionRefusal =>
  at(
    position,
    `unknown timeframe "${quote(name)}"`,
    near === undefined ? `. Expected ${timeframes.join(', ')}` : didYouMean([near]),
  )

export const shorterTimeframe = (position: number, timeframe: string, own: string): ExpressionRefusal =>
  at(position, `@${timeframe} is shorter than the timeframe of the candles, ${own}`)

/** Refusal of `@` with a timeframe that does not consist of whole candles of the series: 8h of 6h, or a month of weeks. */
export const dividedTimeframe = (position: number, timeframe: string, own: string): ExpressionRefusal =>
  at(position, `@${timeframe} is not made of whole candles of ${own}`)

export const nestedTimeframe = (position: number): ExpressionRefusal =>
  at(position, 'a timeframe cannot be chosen inside another one')

export const unfinishedMarket = (position: number): ExpressionRefusal =>
  at(position, 'the name of a market has no closing brace', '. Write close{ETHUSDT}')

export const badMarket = (position: number): ExpressionRefusal =>
  at(
    position,
    'expected a symbol, or an exchange and a symbol, between braces',
    '. Write close{ETHUSDT} or close{binance:ETHUSDT}',
  )

export const nestedMarket = (position: number): ExpressionRefusal =>
  at(
    position,
    'another market cannot be chosen inside a part with a market or a timeframe of its own',
    '. Write close@4h / close{ETHUSDT}@4h',
  )

export const nestedDerivative = (position: number, name: string): ExpressionRefusal =>
  at(
    position,
    `${name} cannot stand inside a part with a market or a timeframe of its own`,
    `. Write ${name}{ETHUSDT} for that of another market`,
  )

export const timeframeUnknown = (position: number): ExpressionRefusal =>
  at(
    position,
    'the timeframe of the candles is not known',
    '. Give each candle a timestamp, in steps of a timeframe',
  )

/** Adds the name of an expression to a refusal, in a request with several expressions. */
export const inExpression = <Fault extends Refusal>(name: string, { status, error, ...rest }: Fault) => ({
  ...rest,
  status,
  error: `${quote(name)}: ${error}`,
})

/** Refusal of a per-market value outside an aggregate. `aggregates` reduce the values of all markets to one value. */
export const notOverMarkets = (position: number, name: string, aggregates: readonly string[]): Refusal =>
  at(
    position,
    `"${quote(name)}" is of a single market. Write it within ${aggregates.map(each => `${each}(…)`).join(', ')}`,
  )

export const wrongAggregate = (position: number, name: string): Refusal =>
  at(position, `${name} takes one expression`)

export const badOccurrence = (position: number, name: string, most: number): ExpressionRefusal =>
  at(position, `${name} takes one integer of 0 to ${most} as the occurrence, 0 being the newest`)

export const badCandleCount = (
  position: number,
  name: string,
  least: number,
  most: number,
): ExpressionRefusal => at(position, `${name} takes one integer of ${least} to ${most}, a number of candles`)

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

export const unknownMeasure = (position: number, name: string, names: Iterable<string>): Refusal =>
  at(position, `unknown name "${quote(name)}"${didYouMean(nearNames(name, names))}`)

// Refusals of expressions that name other markets.

export const otherMarketsBesideChart = (): Refusal =>
  refusal(400, 'chart cannot be given for an expression with the candles of another market')

export const otherMarketsInBulk = (): Refusal =>
  refusal(400, 'Candles of another market can be supplied to POST /expression only, as with')

export const candlesOfMarketMissing = (market: string): Refusal =>
  refusal(
    400,
    `Missing required: the candles of {${quote(market)}}. Give them as with: { ${JSON.stringify(market)}: [...] }`,
  )

export const candlesOfNoMarket = (name: string, markets: readonly string[]): Refusal =>
  refusal(
    400,
    `Invalid with: the expression does not name {${quote(name)}}${didYouMean(nearNames(name, markets))}`,
  )

export const invalidChart = (value: unknown, forms: readonly string[], near: readonly string[]): Refusal =>
  refusal(400, `Invalid chart: ${quote(value)}. Expected ${expected.oneOf(forms)}${didYouMean(near)}`)

/** Refusal of `settled` for a chart, because the bars themselves depend on where the history begins. */
export const chartBesideSettled = (chart: string): Refusal =>
  invalid`settled cannot be used beside chart ${chart}: its bars depend on where the history begins`

/** Refusal of a chart with `@`, because bars that close by price are no parts of longer candles. */
export const chartWithTimeframes = (chart: string): Refusal =>
  invalid`chart ${chart} cannot be used with an expression that chooses other timeframes by @`

export const tooManyBars = (most: number): Refusal =>
  invalid`The chart has too many bars for one answer, which has at most ${most}. Ask for a shorter range, or for larger bars`

import type { Study } from '../view/view.js'
import type { Catalogue, Description } from './catalogue.js'
import type { StudyRow } from './rows.js'

/** Indicator name under which the service computes an expression. */
export const expressionIndicator = 'expression'

const plain: Description = {
  id: expressionIndicator,
  title: 'Expression',
  category: 'Expression',
  parameters: [],
  outputs: [{ name: 'value', kind: 'number' }],
  inputs: [],
  source: false,
  source2: false,
  lookback: 0,
  results: 1,
  stability: 'finite',
  settled4: null,
  settled8: null,
  overlay: false,
  drawing: [{ kind: 'line', outputs: ['value'], pane: 'own', colour: 1 }],
  tier: 1,
  otherNames: [],
  related: [],
} as unknown as Description

/** An expression with numeric values: in a pane of its own, or over the candles if they are prices. */
const numberExpression: Description = plain
const priceExpression: Description = {
  ...plain,
  overlay: true,
  drawing: [{ kind: 'line', outputs: ['value'], pane: 'price', colour: 1 }],
}
/** A boolean expression: its candles are shaded. */
export const conditionExpression: Description = {
  ...plain,
  outputs: [{ name: 'value', kind: 'flag' }],
  overlay: true,
  drawing: [],
}

/** Whether a value is near enough to the last price to be a price. */
const isPrice = (value: number, price: number) => value > price / 1.5 && value < price * 1.5

/** The description of an expression, from its values and the last price; a number if it has no values. */
export function describeExpression(rows: readonly StudyRow[], price: number): Description {
  const value = rows.findLast(({ values }) => values[0] !== null)?.values[0]
  if (typeof value === 'boolean') return conditionExpression
  return typeof value === 'number' && isPrice(value, price) ? priceExpression : numberExpression
}

/** The expression of an output of an indicator on the chart: `macd(fastPeriod=5).valueMACD`. */
export function studyExpression(
  { indicator, params }: Study,
  { outputs, inputs, parameters, source2: hasTwo }: Description,
  output: number,
): string {
  if (indicator === expressionIndicator) return `(${params[expressionIndicator]})`
  const { source = inputs[0], source2 = inputs[1], ...rest } = params
  // Indicators of two columns have no names for them, and a function has priority over an indicator of its name.
  const isFunction = functions.some(([name]) => name === indicator)
  const named = Object.entries(hasTwo ? rest : params).map(([name, value]) => `${name}=${value}`)
  const values = isFunction ? parameters.map(parameter => params[parameter.name] ?? parameter.default) : named
  const given = [...(hasTwo ? [source, source2] : isFunction ? [source] : []), ...values]
  const call = given.length > 0 ? `${indicator}(${given.join(', ')})` : indicator
  return outputs.length > 1 ? `${call}.${outputs[output]?.name}` : call
}

/** Whether a text is more than words to search for. */
export const isExpression = (text: string): boolean =>
  /[<>=+*/%()[\]{}@]|(?:\b\d*[a-z_]|\))\w*\.([a-z]|$)|\d\s*-|\s-\s/i.test(text)

/** The index of a character that the service counts from 1. The service counts characters outside the basic plane once. */
const indexOf = (text: string, character: number): number => [...text].slice(0, character - 1).join('').length

/** The range of the word in an expression that an error of the service names. */
export function faultRange(text: string, error: string): readonly [from: number, to: number] | undefined {
  const [, character] = /at character (\d+)/.exec(error) ?? []
  if (character === undefined) return undefined
  const from = indexOf(text, Number(character))
  const [word = ''] = /^(?:[\w.]+|\S)/.exec(text.slice(from)) ?? []
  return [from, from + word.length]
}

/** A completion that may replace the word before the caret. */
export interface Completion {
  readonly text: string
  /** Explanation for people. */
  readonly note: string
  /** The start of the word that it replaces. */
  readonly from: number
}

const prices = ['open', 'high', 'low', 'close', 'volume', 'hl2', 'hlc3', 'ohlc4']
const ofDerivatives = ['funding', 'openinterest', 'markprice', 'indexprice', 'basis']
const functions: readonly (readonly [name: string, note: string])[] = [
  ['crossover', 'rises above'],
  ['crossunder', 'falls below'],
  ['cross', 'rises above or falls below'],
  ['rising', 'each of the last n steps went up'],
  ['falling', 'each of the last n steps went down'],
  ['highest', 'the largest of the last n'],
  ['lowest', 'the smallest of the last n'],
  ['barssince', 'candles since a condition was last true'],
  ['within', 'whether true in the last n'],
  ['valuewhen', 'the value when a condition was last true'],
  ['fixnan', 'the last value where undefined'],
  ['change', 'the difference from n candles ago'],
  ['sign', '1, 0 or −1'],
  ['round_to', 'the nearest multiple of a step'],
  ['pivothigh', 'a high among its neighbours'],
  ['pivotlow', 'a low among its neighbours'],
  ['if', 'one of two values'],
  ['nz', 'another value where undefined'],
  ['na', 'whether undefined'],
  ['pow', 'power'],
]
const maxCompletions = 8

/** The name of the innermost call that is open at the end of a text. */
function openCall(text: string): string | undefined {
  let depth = 0
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ')') depth++
    else if (text[at] === '(' && depth-- === 0)
      return /\b\d*([a-z_]\w*)$/i.exec(text.slice(0, at))?.[1]?.toLowerCase()
  }
  return undefined
}

/** The symbols of an exchange, by default that of the chart. */
export type SymbolsOf = (exchange: string | undefined) => readonly string[]

/** Completions of a symbol after an opening brace. */
function symbolsLike(exchange: string | undefined, typed: string, symbols: readonly string[]) {
  const wanted = typed.replace(/[/-]/g, '').toUpperCase()
  const found = symbols.filter(symbol => symbol.includes(wanted))
  return [
    ...found.filter(symbol => symbol.startsWith(wanted)),
    ...found.filter(symbol => !symbol.startsWith(wanted)),
  ].map(symbol => ({ symbol, note: exchange ?? 'another market' }))
}

/**
 * Completions of the word before the caret: symbols in braces, outputs after a dot, parameters inside a call, and names
 * everywhere.
 */
export function completionsAt(
  text: string,
  caret: number,
  catalogue: Catalogue,
  symbolsOf: SymbolsOf = () => [],
): readonly Completion[] {
  const before = text.slice(0, caret)
  const [brace, , exchange, symbol = ''] = /\{(([\w-]+):)?([^{}:]*)$/.exec(before) ?? []
  if (brace !== undefined) {
    const end = text[caret] === '}' ? '' : '}'
    return symbolsLike(exchange, symbol, symbolsOf(exchange?.toLowerCase()))
      .slice(0, maxCompletions)
      .map(found => ({ text: found.symbol + end, note: found.note, from: caret - symbol.length }))
  }
  const [, owner, , partial = ''] = /\b\d*([a-z_]\w*)(\([^()]*\))?\.(\w*)$/i.exec(before) ?? []
  if (owner !== undefined) {
    const outputs = catalogue.get(owner.toLowerCase())?.outputs ?? []
    return outputs
      .filter(({ name, kind }) => kind !== 'label' && kind !== 'names' && begins(name, partial))
      .map(({ name }) => ({ text: name, note: `output of ${owner}`, from: caret - partial.length }))
  }
  const [, word = ''] = /\b\d*([a-z_]\w*)$/i.exec(before) ?? []
  const from = caret - word.length
  const isArgument = /[(,]\s*$/.test(before.slice(0, from))
  const call = isArgument ? catalogue.get(openCall(before) ?? '') : undefined
  const parameters = (call?.parameters ?? [])
    .filter(({ name }) => begins(name, word))
    .map(parameter => ({ text: `${parameter.name}=`, note: `default ${parameter.default}`, from }))
  return word === ''
    ? parameters
    : [...parameters, ...namesLike(word, from, catalogue)].slice(0, maxCompletions)
}

const begins = (name: string, partial: string) =>
  name.toLowerCase().startsWith(partial.toLowerCase()) && name !== partial

function namesLike(word: string, from: number, catalogue: Catalogue): readonly Completion[] {
  const known = [
    ...prices.map(text => ({ text, note: 'price', from })),
    ...ofDerivatives.map(text => ({ text, note: 'of a derivative', from })),
    ...functions.map(([name, note]) => ({ text: `${name}(`, note, from })),
  ].filter(({ text }) => begins(text, word))
  const indicators = [...catalogue.values()]
    .filter(({ id }) => begins(id, word))
    .sort((a, b) => a.tier - b.tier || a.id.length - b.id.length)
    .map(({ id, title, outputs }) => ({ text: outputs.length > 1 ? `${id}.` : id, note: title, from }))
  return [...known, ...indicators]
}

import { isTimeframe, type Timeframe } from '../../candles/timeframe.js'
import { catalogue } from '../../catalogue/index.js'
import { compileExpression } from '../../compute/expressions/compile.js'
import type { ExpressionRefusal } from '../../contract/expression-refusals.js'
import { nearNames } from '../../contract/hints.js'
import { maxExpressionLength } from '../../contract/limits.js'
import { nearIndicators } from '../../contract/near-indicators.js'
import { isRefusal, type Refusal, withNearest } from '../../contract/refusals.js'
import { piecesIn, textIn, translated } from './translated-expression.js'

/** So many faults of a text are repaired at most. */
const maxRepairs = 6

/** The names of prices, beside which indicators have names alike. */
const prices = ['open', 'high', 'low', 'close', 'volume']
const otherPrices: Readonly<Record<string, string>> = { vol: 'volume', last: 'close' }

/** What an unknown name may stand for, in the words of the language: `sma200` is `sma(200)`. */
function namesFor(name: string): readonly string[] {
  const number = /(?<!\d)\d+$/.exec(name)?.[0] ?? ''
  const letters = name.slice(0, name.length - number.length).replace(/_$/, '')
  const price = otherPrices[name.toLowerCase()]
  return [
    ...(price ? [price] : []),
    ...(number !== '' && catalogue.has(letters.toLowerCase()) ? [`${letters}(${number})`] : []),
    ...nearNames(name, prices),
    ...nearIndicators(name),
  ]
}

/** A fault in a text: where it is, the word that stands there, and how the text is with another one in its place. */
interface Place {
  readonly text: string
  readonly index: number
  readonly word: string
  instead(own: string, length?: number): string
}

/** Outputs of which a word is a part of the name, as `hist` and `histogram` are of `valueMACDHist`. */
function outputsFor(word: string, outputs: readonly string[]): readonly string[] {
  const part = word.toLowerCase()
  const isNear = (output: string) => {
    const name = output.toLowerCase().replace(/^value/, '')
    return name.includes(part) || part.includes(name)
  }
  return [...outputs.filter(isNear).sort((a, b) => b.length - a.length), ...outputs]
}

/** The first of an indicator's outputs behind its call. */
function withOutput({ text, index, word, instead }: Place, outputs: string): readonly string[] {
  const call = /^\w+(?:\([^()]*\))?/.exec(text.slice(index))?.[0] ?? word
  return [instead(`${call}.${outputs.split(', ')[0]}`, call.length)]
}

/** The nearest value that is in a range. */
function withinRange({ text, index }: Place, value: string, low: string, high: string): readonly string[] {
  const near = Math.min(Number(high), Math.max(Number(low), Math.round(Number(value))))
  const at = text.indexOf(value, index)
  return at < 0 ? [] : [text.slice(0, at) + near + text.slice(at + value.length)]
}

/** The operators with which a text ends that lacks its last value. */
const lastOperators = new Set('and or not + - * / % < > <= >= = == != ! && ||'.split(' '))

/** A text without the operators at its end. */
function withoutLast(text: string): string {
  const pieces = piecesIn(text) ?? []
  while (lastOperators.has(pieces.at(-1)?.text.trim().toLowerCase() ?? '')) pieces.pop()
  return textIn(pieces).trim()
}

/** What each refusal says, and the texts in which its fault may be repaired, the likeliest one first. */
const repairs: readonly (readonly [RegExp, (place: Place, found: readonly string[]) => readonly string[]])[] =
  [
    [
      /unknown name "\w+"(?:\. Did you mean (\w+))?/,
      ({ word, instead }, [guess]) =>
        [...namesFor(word), ...(guess ? [guess] : [])].map(name => instead(name)),
    ],
    [/has several outputs: ([^.]+)/, (place, [outputs = '']) => withOutput(place, outputs)],
    [
      /Its outputs are (.+)$/,
      ({ word, instead }, [outputs = '']) => outputsFor(word, outputs.split(', ')).map(name => instead(name)),
    ],
    [
      /Unknown parameter: (\w+)\..* Did you mean (\w+)/,
      ({ text }, [wrong, own]) => [text.replace(new RegExp(`\\b${wrong}(\\s*)=`), `${own}$1=`)],
    ],
    [
      /Invalid \w+: (-?[\d.]+)\. Expected \w+, (-?[\d.]+) to (-?[\d.]+)/,
      (place, [value = '', low = '', high = '']) => withinRange(place, value, low, high),
    ],
    [/unknown timeframe/, ({ word, instead }) => [instead(word.toLowerCase())]],
    [/expected a value, got the end/, ({ text }) => [withoutLast(text)]],
    [/got the end/, ({ text }) => [`${text})`]],
    [/Did you mean (\w+)/, ({ instead }, [guess = '']) => [instead(guess)]],
  ]

/** Texts in which a fault may be repaired, the likeliest one first. */
function repaired(text: string, { position = 1, error }: ExpressionRefusal): readonly string[] {
  const index = position - 1
  const word = /^\w+/.exec(text.slice(index))?.[0] ?? ''
  const instead = (own: string, length = word.length) =>
    text.slice(0, index) + own + text.slice(index + length)
  for (const [pattern, repair] of repairs) {
    const found = pattern.exec(error)
    if (found) return repair({ text, index, word, instead }, found.slice(1))
  }
  return []
}

/** The valid expression that a text with a fault may be meant as; undefined where none is near. */
export function nearestValid(text: string, timeframe: Timeframe | undefined): string | undefined {
  const compile = (each: string) => compileExpression(each, { timeframe: timeframe ?? '1m' })
  let current = translated(text).trim()
  let fault = compile(current)
  for (let left = maxRepairs; isRefusal(fault) && left > 0; left--) {
    const { position = 0, error } = fault as ExpressionRefusal
    const found = repaired(current, fault).map(better => ({ better, fault: compile(better) }))
    const isLater = (each: ExpressionRefusal) => (each.position ?? 0) > position
    const next =
      found.find(each => !isRefusal(each.fault) || isLater(each.fault)) ??
      // What is read first is not always what stands first.
      found.find(each => isRefusal(each.fault) && each.fault.error !== error)
    if (!next) return undefined
    current = next.better
    fault = next.fault
  }
  return isRefusal(fault) || current === text ? undefined : current
}

/** The refusal of a request with expressions, with what one of them may be meant as where one has a fault. */
export function withNearestForm(refusal: Refusal, texts: readonly unknown[], timeframe: unknown): Refusal {
  if (!refusal.error.includes('Invalid expression at')) return refusal
  const known = typeof timeframe === 'string' && isTimeframe(timeframe) ? timeframe : undefined
  for (const text of texts) {
    if (typeof text !== 'string' || text.length > maxExpressionLength) continue
    const near = nearestValid(text, known)
    if (near !== undefined) return { ...refusal, error: withNearest(refusal.error, near) }
  }
  return refusal
}

import { catalogue } from '../../catalogue/index.js'
import type { ExpressionRefusal } from '../../contract/expression-refusals.js'
import { nearNames } from '../../contract/hints.js'
import { nearIndicators } from '../../contract/near-indicators.js'
import { foreignSigns, foreignWords, isNameInQuotes, plainNumber } from './foreign.js'
import { tokenize } from './parser.js'

/** Maximum number of repaired faults per text. */
const maxRepairs = 6

/** Names of prices. Some indicators have similar names. */
const prices = ['open', 'high', 'low', 'close', 'volume']
const otherPrices: Readonly<Record<string, string>> = { vol: 'volume', last: 'close' }

/** Expressions that an unknown name may stand for: `sma200` is `sma(200)`. */
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

/** A fault in a text: its position, the word at this position, and a function that replaces the word. */
interface Place {
  readonly text: string
  readonly index: number
  readonly word: string
  instead(own: string, length?: number): string
}

/**
 * All outputs. Outputs whose name contains the word, or is contained in it, come first, longest first: `hist` and
 * `histogram` match `valueMACDHist`.
 */
function outputsFor(word: string, outputs: readonly string[]): readonly string[] {
  const part = word.toLowerCase()
  const isNear = (output: string) => {
    const name = output.toLowerCase().replace(/^value/, '')
    return name.includes(part) || part.includes(name)
  }
  return [...outputs.filter(isNear).sort((a, b) => b.length - a.length), ...outputs]
}

/** Text with the first output of an indicator after its call. */
function withOutput({ text, index, word, instead }: Place, outputs: string): readonly string[] {
  const call = /^(?:ta\.)?\w+(?:\([^()]*\))?/.exec(text.slice(index))?.[0] ?? word
  return [instead(`${call}.${outputs.split(', ')[0]}`, call.length)]
}

/** Text with the nearest value in a range. */
function withinRange({ text, index }: Place, value: string, low: string, high: string): readonly string[] {
  const near = Math.min(Number(high), Math.max(Number(low), Math.round(Number(value))))
  const at = text.indexOf(value, index)
  return at < 0 ? [] : [text.slice(0, at) + near + text.slice(at + value.length)]
}

/** Pattern of each refusal, and a function that returns texts in which the fault may be repaired, likeliest first. */
const repairs: readonly (readonly [RegExp, (place: Place, found: readonly string[]) => readonly string[]])[] =
  [
    [
      /unknown name "\w+"(?:$|\. Did you mean (\w+))/,
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
    [/expected (?!a value).* got the end/, ({ text }) => [`${text})`]],
    [/Did you mean (\w+)/, ({ instead }, [guess = '']) => [instead(guess)]],
  ]

/** Texts in which a fault may be repaired, likeliest first. */
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

/**
 * Valid expression that a text with a fault may mean; undefined if none is similar. `faultOf` is the refusal of a text, or
 * undefined for a valid text.
 */
export function repairExpression(
  text: string,
  faultOf: (text: string) => ExpressionRefusal | undefined,
): string | undefined {
  let current = translated(text).trim()
  let fault = faultOf(current)
  for (let left = maxRepairs; fault && left > 0; left--) {
    const { position = 0, error } = fault
    const found = repaired(current, fault).map(better => ({ better, fault: faultOf(better) }))
    const next =
      found.find(each => !each.fault || (each.fault.position ?? 0) > position) ??
      // The first fault read is not always the first one in the text.
      found.find(each => each.fault && each.fault.error !== error)
    if (!next) return undefined
    current = next.better
    fault = next.fault
  }
  return fault || current === text ? undefined : current
}

/** Piece of an expression: a token as written, with the blanks after it. */
interface Piece {
  text: string
  readonly kind: 'number' | 'name' | 'text' | 'market' | 'sign'
}

const crossings: readonly (readonly [RegExp, 'crossover' | 'crossunder'])[] = [
  [/^cross(?:es|ed|ing)?_?(?:above|over)$/i, 'crossover'],
  [/^cross(?:es|ed|ing)?_?(?:below|under)$/i, 'crossunder'],
]
const crossingOf = (name: string) => crossings.find(([form]) => form.test(name))?.[1]

const connectives = new Set(['and', 'or', 'not', '&&', '||', '!', ','])
/** Direction of each comparison that `a < b < c` may contain. */
const directions: Readonly<Record<string, string>> = { '<': '<', '<=': '<', '>': '>', '>=': '>' }

/** Splits a text into pieces, whose texts together are the text. Undefined if it has a character that the language lacks. */
export function piecesIn(text: string): Piece[] | undefined {
  const characters = [...text]
  try {
    const tokens = tokenize(text)
    const [first] = tokens
    return tokens.slice(0, -1).map(({ kind, at }, i) => ({
      kind: kind as Piece['kind'],
      text: characters.slice(at === first?.at ? 0 : at - 1, (tokens[i + 1]?.at ?? 0) - 1).join(''),
    }))
  } catch {
    return undefined
  }
}

export const textIn = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')

const wordOf = (piece: Piece | undefined): string => piece?.text.trim() ?? ''
/** Whether a piece is the first part of a number with a comma, as in `1,000`, that stands in no brackets. */
const isThousands = (pieces: readonly Piece[], at: number): boolean =>
  /^\d{1,3},\d{3}$/.test(
    pieces
      .slice(at, at + 3)
      .map(({ text }) => text)
      .join('')
      .trim(),
  ) && !pieces.slice(0, at).some(({ text }) => text.startsWith('('))
/** Whether a value may end with a piece. Then an operator follows. */
const endsValue = (piece: Piece | undefined): boolean =>
  piece !== undefined &&
  (piece.kind === 'sign' ? /^[)\]]/.test(piece.text) : !connectives.has(wordOf(piece).toLowerCase()))

/** Replaces signs and words of other languages in one pass. */
function respelled(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = []
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] as Piece
    const next = pieces[at + 1]
    const last = found.at(-1)
    const blanks = (by: Piece | undefined) => by?.text.slice(by.text.trimEnd().length) ?? ''
    const replace = (text: string, count: number) => {
      at += count - 1
      found.push({ kind: piece.kind, text: `${text}${blanks(pieces[at])}` })
    }
    const word = wordOf(piece)
    const sign =
      piece.kind === 'sign'
        ? foreignSigns[word]
        : endsValue(last)
          ? foreignWords[word.toLowerCase()]
          : undefined
    const isTimeframe = last?.text === '@'
    const number = piece.kind === 'name' && !isTimeframe ? plainNumber(word) : undefined
    const withUnit =
      piece.kind === 'number' && next?.kind === 'name' ? plainNumber(piece.text + wordOf(next)) : undefined
    const quoted = piece.kind === 'text' ? word.slice(1, -1) : ''
    if (sign !== undefined && (word !== '=' || !isParameter(found))) replace(sign, 1)
    else if (number !== undefined) replace(number, 1)
    else if (withUnit !== undefined) replace(withUnit, 2)
    else if (isNameInQuotes(quoted, prices)) replace(quoted.toLowerCase(), 1)
    else if (isThousands(pieces, at)) {
      found.push({ ...piece, text: word })
      at++
    } else if (word === '[' && wordOf(next) === '-') {
      found.push(piece)
      at++
    } else if (endsValue(last) && crossingOf(word) !== undefined) replace(crossingOf(word) as string, 1)
    else if (endsValue(last) && crossingOf(word + wordOf(next)) !== undefined)
      replace(crossingOf(word + wordOf(next)) as string, 2)
    else found.push({ ...piece })
  }
  return found
}

/** Whether pieces end with the name of a parameter. */
const isParameter = (pieces: readonly Piece[]): boolean =>
  pieces.at(-1)?.kind === 'name' && /^[(,]/.test(pieces.at(-2)?.text ?? '')

/** Part of a text between brackets, connectives and commas. */
interface Part {
  readonly start: number
  /** Index of its last comparison. */
  comparison: number | undefined
  /** Whether something is compared within the brackets after that comparison. */
  hasInner: boolean
  crossing: number | undefined
  /** Whether anything is compared between its brackets. */
  compares: boolean
}

const partFrom = (start: number, compares = false): Part => ({
  ...{ start, comparison: undefined, hasInner: false, crossing: undefined, compares },
})

/**
 * Translates syntax of other languages into this language. `=>` becomes `>=`, `1 < x < 2` becomes `1 < x and x < 2`,
 * and `a crosses above b` becomes `crossover(a, b)`. Each piece is read once, and written at most twice.
 */
export function translated(text: string): string {
  const original = piecesIn(text)
  if (!original) return text
  const pieces = respelled(original)
  const outer: Part[] = []
  let part = partFrom(0)
  const endAt = (end: number) => {
    if (part.crossing !== undefined) writeCall(pieces, part.start, part.crossing, end)
  }
  const words = pieces.map(piece => wordOf(piece).toLowerCase())
  for (const [at, word] of words.entries()) {
    if (word === '(' || word === '[') {
      outer.push(part)
      part = partFrom(at + 1)
    } else if (word === ')' || word === ']') {
      endAt(at)
      const { compares } = part
      part = outer.pop() ?? partFrom(at + 1)
      part.hasInner ||= compares
      part.compares ||= compares
    } else if (connectives.has(word)) {
      endAt(at)
      part = partFrom(at + 1, part.compares)
    } else if (directions[word] !== undefined) {
      writeTwice(pieces, words, part, at)
      Object.assign(part, { comparison: at, hasInner: false, compares: true })
    } else if ((word === 'crossover' || word === 'crossunder') && endsValue(pieces[at - 1])) {
      if (part.crossing !== undefined) return textIn(pieces)
      part.crossing = at
    }
  }
  endAt(pieces.length)
  return textIn(pieces)
}

/** Repeats the operand before the comparison at an index, if it is compared on both sides. */
function writeTwice(pieces: Piece[], words: readonly string[], part: Part, at: number): void {
  const { comparison, hasInner } = part
  const piece = pieces[at] as Piece
  if (comparison === undefined || hasInner || comparison + 1 >= at) return
  if (directions[words[comparison] as string] !== directions[words[at] as string]) return
  const operand = textIn(pieces.slice(comparison + 1, at)).trim()
  const blank = /\s$/.test(pieces[at - 1]?.text ?? '')
  piece.text = `${blank ? '' : ' '}and ${operand}${blank ? ' ' : ''}${piece.text}`
}

/** Writes `a crossover b`, whose operator is at an index, as a call. */
function writeCall(pieces: Piece[], start: number, operator: number, end: number): void {
  const [first, before, sign, last] = [start, operator - 1, operator, end - 1].map(at => pieces[at])
  if (!first || !before || !sign || !last || last === sign) return
  before.text = before.text.trimEnd()
  first.text = `${sign.text.trim()}(${first.text}`
  const blanks = last.text.slice(last.text.trimEnd().length)
  last.text = `${last.text.trimEnd()})${blanks}`
  sign.text = ', '
}

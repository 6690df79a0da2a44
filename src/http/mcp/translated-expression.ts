import { tokenize } from '../../compute/expressions/lexer.js'

/** Piece of an expression: a token as it is written, with the blanks behind it. */
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
/** Direction of each comparison of which `a < b < c` is made. */
const directions: Readonly<Record<string, string>> = { '<': '<', '<=': '<', '>': '>', '>=': '>' }

/**
 * Pieces of a text, whose texts together are the text; undefined where it has a character that the language lacks.
 */
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
/** Whether two signs are written as one. */
const isOneSign = (one: Piece | undefined, next: Piece | undefined, sign: string) =>
  `${one?.text}${wordOf(next)}` === sign
/** Whether a value may end with a piece: what follows is an operator. */
const endsValue = (piece: Piece | undefined): boolean =>
  piece !== undefined &&
  (piece.kind === 'sign' ? /^[)\]]/.test(piece.text) : !connectives.has(wordOf(piece).toLowerCase()))

/** Pieces with the signs and words of other languages replaced by those of this one, in one pass. */
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
    if (word === 'ta' && next?.text === '.') at++
    else if (isOneSign(piece, next, '=>')) replace('>=', 2)
    else if (isOneSign(piece, next, '<>')) replace('!=', 2)
    else if (word === '=' && !/^[<>=!]/.test(last?.text ?? '') && !isParameter(found)) replace('==', 1)
    else if (word === '[' && wordOf(next) === '-') {
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
  /** Whether something is compared within the brackets behind that. */
  hasInner: boolean
  crossing: number | undefined
  /** Whether anything is compared between its brackets. */
  compares: boolean
}

const partFrom = (start: number, compares = false): Part => ({
  ...{ start, comparison: undefined, hasInner: false, crossing: undefined, compares },
})

/**
 * An expression with what other languages write replaced by what is written here: `=>` by `>=`, `1 < x < 2` by `1 < x and x < 2`,
 * `a crosses above b` by `crossover(a, b)`. Each piece is looked at once, and written twice at most.
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

/** Writes the operand before the comparison at an index once more, where it is compared on both sides. */
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

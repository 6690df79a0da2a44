import { unexpectedCharacter, unfinishedMarket, unfinishedText } from '../../contract/expression-refusals.js'
import { Fault } from './fault.js'

/** A token of an expression. */
export interface Token {
  readonly kind: 'number' | 'name' | 'text' | 'market' | 'sign' | 'end'
  /** As it is written; of a text what stands between the quotation marks, of a market what stands between the braces. */
  readonly text: string
  /** Its first character, counted from 1. */
  readonly at: number
}

/** The signs of the language, longer ones before those that they begin with. */
const signs = '<= >= == != && || < > + - * / % ( ) [ ] , . @ = !'.split(' ')

const blank = /\s+/y
const surrogate = /[\ud800-\udfff]/
const numeral = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y
const word = /[A-Za-z0-9_]+/y
const braced = /\{([^{}\n]*)\}/y
const quoted = /'([^'\n]*)'|"([^"\n]*)"/y

function match(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from
  return pattern.exec(text)
}

/** The character at an index of the text, counted from 1. One outside the basic plane counts once. */
const positionOf = (text: string, index: number): number =>
  surrogate.test(text) ? [...text.slice(0, index)].length + 1 : index + 1

/** Cuts a text into tokens, the last of which is its end. Throws a `Fault`. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  let from = 0
  while (from < text.length) {
    const space = match(blank, text, from)
    if (space) {
      from += space[0].length
      continue
    }
    const token = readToken(text, from)
    tokens.push(token.token)
    from = token.to
  }
  tokens.push({ kind: 'end', text: '', at: positionOf(text, text.length) })
  return tokens
}

function readToken(text: string, from: number): { readonly token: Token; readonly to: number } {
  const at = positionOf(text, from)
  const found = (kind: Token['kind'], whole: string, inner = whole) => ({
    token: { kind, text: inner, at },
    to: from + whole.length,
  })
  // Names of indicators may begin with a digit, as 3inside does: what goes on with letters is a name.
  const name = match(word, text, from)?.[0]
  const number = match(numeral, text, from)?.[0]
  if (number !== undefined && number.length >= (name?.length ?? 0)) return found('number', number)
  if (name !== undefined) return found('name', name)
  const string = match(quoted, text, from)
  if (string) return found('text', string[0], string[1] ?? string[2] ?? '')
  const market = match(braced, text, from)
  if (market) return found('market', market[0], market[1] ?? '')
  const sign = signs.find(each => text.startsWith(each, from))
  if (sign !== undefined) return found('sign', sign)
  const character = String.fromCodePoint(text.codePointAt(from) as number)
  if (character === '{') throw new Fault(unfinishedMarket(at))
  throw new Fault(/['"]/.test(character) ? unfinishedText(at) : unexpectedCharacter(at, character))
}

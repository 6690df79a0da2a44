/** A text by the grammar of docs/expressions.md, before its names are resolved. */
export type Syntax =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Argument[] }
  | { readonly kind: 'output'; readonly of: Syntax; readonly name: string }
  /** `by` is a calculated number of candles, at most `candles`. */
  | { readonly kind: 'history'; readonly of: Syntax; readonly candles: number; readonly by?: Syntax }
  | { readonly kind: 'timeframe'; readonly of: Syntax; readonly timeframe: string }
  | { readonly kind: 'market'; readonly of: Syntax; readonly name: string; readonly isStrict: boolean }
  | { readonly kind: 'unary'; readonly operator: '-' | 'not'; readonly of: Syntax }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Syntax; readonly right: Syntax }

/** An argument of a call; a name without brackets has none. */
export interface Argument {
  readonly name: string | undefined
  readonly value: Syntax
}

/** Thrown for a text that is no expression. */
export class NoExpression extends Error {}

/** One level of the table of operators: the patterns of its operators, which are read from left to right. */
const levels = [
  { pattern: /\|\||or\b/iy, isChained: true },
  { pattern: /&&|and\b/iy, isChained: true },
  undefined,
  { pattern: /<=|>=|==|!=|<|>/y, isChained: false },
  { pattern: /[+-]/y, isChained: true },
  { pattern: /[*/%]/y, isChained: true },
] as const
/** `not` stands between `and` and the comparisons. */
const levelOfNot = 2

const otherSpellings: Readonly<Record<string, string>> = { '||': 'or', '&&': 'and' }
const reserved = ['and', 'or', 'not']
/** Names of other programs in docs/expressions.md, each with the name here. */
const otherNames: Readonly<Record<string, string>> = {
  ...{
    o: 'open',
    h: 'high',
    l: 'low',
    c: 'close',
    v: 'volume',
    accdist: 'ad',
    bb: 'bbands',
    correlation: 'correl',
  },
  ...{
    cum: 'cumsum',
    dev: 'md',
    hhv: 'highest',
    iff: 'if',
    llv: 'lowest',
    log: 'ln',
    mean: 'sma',
    rma: 'smma',
  },
  ...{
    stdev: 'stddev',
    variance: 'var',
    wpr: 'willr',
    crossed_above: 'crossover',
    crossed_below: 'crossunder',
  },
}

/**
 * Parses a text by the table of operators of docs/expressions.md: one function for each of its levels, starting with the
 * weakest.
 */
export function parse(text: string): Syntax {
  let at = 0

  /** Takes the match of a pattern here, with the blanks before it. */
  function take(pattern: RegExp): string | undefined {
    const blank = /\s*/y
    blank.lastIndex = at
    const from = at + (blank.exec(text)?.[0].length ?? 0)
    pattern.lastIndex = from
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at = from + found.length
    return found
  }
  function need(pattern: RegExp): string {
    const found = take(pattern)
    if (found === undefined) throw new NoExpression(`${pattern} is missing at ${at}: ${text}`)
    return found
  }

  /** `condition ? a : b`, which is `if(condition, a, b)`. */
  function conditional(): Syntax {
    const condition = level(0)
    if (take(/\?/y) === undefined) return condition
    const yes = conditional()
    need(/:/y)
    const values = [condition, yes, conditional()]
    return { kind: 'call', name: 'if', args: values.map(value => ({ name: undefined, value })) }
  }

  function level(row: number): Syntax {
    if (row === levels.length) return minus()
    const operators = levels[row]
    if (!operators) {
      if (take(/!(?!=)|not\b/iy) === undefined) return level(row + 1)
      return { kind: 'unary', operator: 'not', of: level(levelOfNot) }
    }
    let left = level(row + 1)
    for (let count = 0; ; count++) {
      const found = take(operators.pattern)?.toLowerCase()
      if (found === undefined) return left
      if (count > 0 && !operators.isChained) throw new NoExpression(`a comparison is chained: ${text}`)
      left = { kind: 'binary', operator: otherSpellings[found] ?? found, left, right: level(row + 1) }
    }
  }

  function minus(): Syntax {
    if (take(/-/y) === undefined) return behind(value())
    const of = minus()
    return of.kind === 'number' ? { kind: 'number', value: -of.value } : { kind: 'unary', operator: '-', of }
  }

  /** `.name`, `[n]`, `{MARKET}` and `@timeframe`. */
  function behind(first: Syntax): Syntax {
    let of = first
    for (;;) {
      if (take(/\./y) !== undefined) of = { kind: 'output', of, name: need(/\w+/y) }
      else if (take(/\[/y) !== undefined) {
        const by = conditional()
        need(/\]/y)
        const candles = by.kind === 'number' ? by.value : 500
        if (!Number.isInteger(candles) || candles < 0 || candles > 500)
          throw new NoExpression(`no number of candles ago: ${text}`)
        of = { kind: 'history', of, candles, ...(by.kind === 'number' ? {} : { by }) }
      } else if (take(/@/y) !== undefined) of = { kind: 'timeframe', of, timeframe: need(/\w+/y) }
      else if (take(/\{/y) !== undefined) {
        const name = need(/[\w:]+/y)
        const isStrict = take(/,\s*strict\b/y) !== undefined
        need(/\}/y)
        of = { kind: 'market', of, name, isStrict }
      } else return of
    }
  }

  function value(): Syntax {
    if (take(/\(/y) !== undefined) {
      const inner = conditional()
      need(/\)/y)
      return inner
    }
    const number = take(/(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?(?!\w)/iy)
    if (number !== undefined) return { kind: 'number', value: Number(number) }
    const name = need(/\w+/y)
    const lower = otherNames[name.toLowerCase()] ?? name.toLowerCase()
    if (reserved.includes(lower)) throw new NoExpression(`an operator without its values: ${text}`)
    if (lower === 'true' || lower === 'false') return { kind: 'truth', value: lower === 'true' }
    return { kind: 'call', name: lower, args: take(/\(/y) === undefined ? [] : args() }
  }

  function args(): readonly Argument[] {
    const found: Argument[] = []
    if (take(/\)/y) !== undefined) return found
    do {
      const name = take(/\w+(?=\s*=(?!=))/y)
      if (name !== undefined) need(/=/y)
      else if (found.some(each => each.name !== undefined))
        throw new NoExpression(`named arguments come last: ${text}`)
      found.push({ name, value: conditional() })
    } while (take(/,/y) !== undefined)
    need(/\)/y)
    return found
  }

  const whole = conditional()
  if (take(/$/y) === undefined) throw new NoExpression(`something is left at ${at}: ${text}`)
  return whole
}

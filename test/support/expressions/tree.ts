type Timeframe = '30m' | '1h' | '2h' | '4h' | '8h' | '1d' | '1w'

/** An expression as a tree, from which the generator writes its text. */
export type Tree =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'column'; readonly name: string }
  | {
      readonly kind: 'indicator'
      readonly id: string
      readonly params: Readonly<Record<string, number>>
      /** The named output; undefined if there is only one. */
      readonly output?: string
      readonly inputs: readonly Tree[]
    }
  | { readonly kind: 'function'; readonly name: string; readonly args: readonly Tree[] }
  | { readonly kind: 'unary'; readonly operator: '-' | 'not'; readonly of: Tree }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Tree; readonly right: Tree }
  | { readonly kind: 'history'; readonly of: Tree; readonly candles: number | Tree }
  | { readonly kind: 'timeframe'; readonly of: Tree; readonly timeframe: Timeframe }
  /** `market` is the text between the braces. */
  | { readonly kind: 'market'; readonly of: Tree; readonly market: string; readonly timeframe?: Timeframe }

/** Binding strength of the operator of a tree; a tree without operator binds most. */
function strengthOf(tree: Tree): number {
  if (tree.kind === 'unary') return tree.operator === 'not' ? 3 : 7
  if (tree.kind === 'number') return tree.value < 0 ? 7 : 9
  if (tree.kind !== 'binary') return 9
  if (tree.operator === 'or') return 1
  if (tree.operator === 'and') return 2
  if ('+-'.includes(tree.operator)) return 5
  return '*/%'.includes(tree.operator) ? 6 : 4
}

const signs: Readonly<Record<string, string>> = { and: '&&', or: '||' }

/** A name that may have any case, now and then in capitals. */
const cased = (name: string, next: () => number): string => (next() < 0.05 ? name.toUpperCase() : name)

/** The text of a tree. `next` draws the free choices: unneeded brackets, names of parameters, blanks. */
export function textOf(tree: Tree, next: () => number): string {
  const inner = (part: Tree, needed: number) => {
    const text = textOf(part, next)
    return strengthOf(part) < needed || next() < 0.1 ? `(${text})` : text
  }
  const blank = () => (next() < 0.8 ? ' ' : '')
  switch (tree.kind) {
    case 'number':
    case 'truth':
      return String(tree.value)
    case 'column':
      return cased(tree.name, next)
    case 'indicator': {
      const isNamed = next() < 0.3
      const values = Object.entries(tree.params).map(([name, value]) =>
        isNamed ? `${name}=${value}` : value,
      )
      const inputs = tree.inputs.map(
        input => `${isNamed && next() < 0.5 ? 'source=' : ''}${textOf(input, next)}`,
      )
      const args = [...inputs, ...values].join(`,${blank()}`)
      const brackets = args === '' && next() < 0.5 ? '' : `(${args})`
      return `${cased(tree.id, next)}${brackets}${tree.output === undefined ? '' : `.${tree.output}`}`
    }
    case 'function':
      return `${cased(tree.name, next)}(${tree.args.map(arg => textOf(arg, next)).join(`,${blank()}`)})`
    case 'unary':
      return tree.operator === 'not'
        ? `${next() < 0.7 ? 'not ' : '!'}${inner(tree.of, 3)}`
        : `-${inner(tree.of, 8)}`
    case 'binary': {
      const own = strengthOf(tree)
      const sign = signs[tree.operator]
      const operator = sign !== undefined && next() < 0.3 ? sign : cased(tree.operator, next)
      const space = /[a-z]/i.test(operator) ? ' ' : blank()
      // Comparisons are never chained, and everything else is read from the left.
      return `${inner(tree.left, own === 4 ? 5 : own)}${space}${operator}${space}${inner(tree.right, own + 1)}`
    }
    case 'history':
      return `${inner(tree.of, 9)}[${typeof tree.candles === 'number' ? tree.candles : textOf(tree.candles, next)}]`
    case 'timeframe':
      return `${inner(tree.of, 9)}@${tree.timeframe}`
    case 'market': {
      const longer = tree.timeframe === undefined ? '' : `@${tree.timeframe}`
      const [one, other] = next() < 0.5 ? [`{${tree.market}}`, longer] : [longer, `{${tree.market}}`]
      return `${inner(tree.of, 9)}${one}${other}`
    }
  }
}

/** A part of an expression as it was written. `at` is its first character, counted from 1. */
export type Syntax =
  | { readonly kind: 'number'; readonly at: number; readonly value: number }
  | { readonly kind: 'boolean'; readonly at: number; readonly value: boolean }
  | { readonly kind: 'text'; readonly at: number; readonly value: string }
  | { readonly kind: 'name'; readonly at: number; readonly name: string }
  | CallSyntax
  | {
      readonly kind: 'output'
      readonly at: number
      readonly of: Syntax
      readonly name: string
      readonly nameAt: number
    }
  | {
      readonly kind: 'history'
      readonly at: number
      readonly of: Syntax
      readonly candles: number
      readonly candlesAt: number
    }
  | {
      readonly kind: 'timeframe'
      readonly at: number
      readonly of: Syntax
      readonly timeframe: string
      readonly timeframeAt: number
    }
  | {
      readonly kind: 'market'
      readonly at: number
      readonly of: Syntax
      /** What stands between the braces, and where these begin. */
      readonly market: string
      readonly marketAt: number
    }
  | { readonly kind: 'unary'; readonly at: number; readonly operator: UnaryOperator; readonly of: Syntax }
  | {
      readonly kind: 'binary'
      readonly at: number
      readonly operator: BinaryOperator
      /** Where the operator stands. */
      readonly operatorAt: number
      readonly left: Syntax
      readonly right: Syntax
    }

/** An indicator or a function with its arguments in brackets. */
export interface CallSyntax {
  readonly kind: 'call'
  readonly at: number
  /** The character behind the closing bracket. */
  readonly to: number
  readonly name: string
  readonly args: readonly ArgumentSyntax[]
}

export interface ArgumentSyntax {
  readonly at: number
  /** The comma or bracket behind it. */
  readonly to: number
  /** The parameter that is given by its name. */
  readonly name?: string
  readonly value: Syntax
}

export type UnaryOperator = 'not' | '-'
export type BinaryOperator =
  | 'or'
  | 'and'
  | '<'
  | '<='
  | '>'
  | '>='
  | '=='
  | '!='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'

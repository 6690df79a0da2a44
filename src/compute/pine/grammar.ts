import { ScriptFault, type Token, tokenize } from './tokens.js'

interface Located {
  readonly line: number
}

/** An expression of Pine. A name has its dots, as in `ta.rsi`. */
export type Pine = Located &
  (
    | { readonly kind: 'number'; readonly text: string }
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'call'; readonly name: string; readonly args: readonly PineArgument[] }
    | { readonly kind: 'history'; readonly of: Pine; readonly by: Pine }
    | { readonly kind: 'unary'; readonly operator: string; readonly of: Pine }
    | { readonly kind: 'binary'; readonly operator: string; readonly left: Pine; readonly right: Pine }
    | { readonly kind: 'tuple'; readonly items: readonly Pine[] }
    /** `a ? b : c`, `if` and `switch`. The last branch may have no condition. */
    | { readonly kind: 'choice'; readonly branches: readonly Branch[] }
    | { readonly kind: 'unsupported'; readonly what: string; readonly block: Block }
  )

export interface PineArgument {
  readonly name?: string
  readonly value: Pine
}

export interface Branch {
  readonly condition: Pine | undefined
  readonly block: Block
}

export type Block = readonly Statement[]

export type Statement = Located &
  (
    | {
        readonly kind: 'declare'
        readonly names: readonly string[]
        readonly value: Pine
        /** Whether the value is computed at the first candle only. */
        readonly isVar: boolean
      }
    | { readonly kind: 'assign'; readonly name: string; readonly value: Pine }
    | {
        readonly kind: 'function'
        readonly name: string
        readonly parameters: readonly Parameter[]
        readonly body: Block
      }
    | { readonly kind: 'expression'; readonly value: Pine }
    | { readonly kind: 'unsupported'; readonly what: string }
  )

export interface Parameter {
  readonly name: string
  readonly fallback: Pine | undefined
}

/** Maximum nesting of expressions and blocks. */
const maxDepth = 60

/** Operators by binding strength, weakest first. A sign and `not` bind more strongly than all of them. */
const levels: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
]

/** Statements that no expression can stand for, by their first word. */
const unsupported: Readonly<Record<string, string>> = {
  import: 'a library',
  export: 'a library',
  type: 'a type',
  enum: 'an enumeration',
  method: 'a method',
  break: 'a loop',
  continue: 'a loop',
}

/** Reads a script into statements. Throws a `ScriptFault`. */
export const readScript = (script: string): Block => new ScriptReader(tokenize(script)).script()

class ScriptReader {
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  script(): Block {
    const statements: Statement[] = []
    while (this.#kind() !== 'end') statements.push(...this.#line())
    return statements
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token
  }

  #kind(): Token['kind'] {
    return this.#token.kind
  }

  #is(text: string, ahead = 0): boolean {
    const token = this.#tokens[this.#next + ahead]
    return token?.text === text && (token.kind === 'sign' || token.kind === 'name')
  }

  #tryTake(text: string): boolean {
    if (!this.#is(text)) return false
    this.#next++
    return true
  }

  #expect(text: string): void {
    if (!this.#tryTake(text)) this.#fail(`expected ${text}, got ${this.#token.text || 'the end of the line'}`)
  }

  #fail(reason: string): never {
    throw new ScriptFault(this.#token.line, reason)
  }

  #name(): string {
    const { kind, text } = this.#token
    if (kind !== 'name') this.#fail(`expected a name, got ${text || 'the end of the line'}`)
    this.#next++
    return text
  }

  /** Reads the statements of one line, and the blocks that belong to them. */
  #line(): Statement[] {
    const statements = [this.#statement()]
    while (this.#tryTake(',')) statements.push(this.#statement())
    // A block has ended its line already.
    const before = this.#tokens[this.#next - 1]?.kind
    if (this.#kind() === 'newline') this.#next++
    else if (before !== 'newline' && before !== 'dedent')
      this.#fail(`expected the end of the line, got ${this.#token.text}`)
    return statements
  }

  /** Reads the lines of an indented block, or the rest of the line. */
  #block(): Block {
    if (this.#kind() !== 'newline') return this.#line()
    this.#next++
    if (this.#kind() !== 'indent') this.#fail('expected an indented block')
    this.#next++
    return this.#deeper(() => {
      const statements: Statement[] = []
      while (this.#kind() !== 'dedent') statements.push(...this.#line())
      this.#next++
      return statements
    })
  }

  #deeper<Result>(read: () => Result): Result {
    if (++this.#depth > maxDepth) this.#fail(`more than ${maxDepth} levels`)
    const result = read()
    this.#depth--
    return result
  }

  #statement(): Statement {
    const { line, text } = this.#token
    const what =
      this.#is(text) && !'=:=('.includes(this.#tokens[this.#next + 1]?.text || ' ') && unsupported[text]
    if (what) {
      this.#skipBlock()
      return { kind: 'unsupported', line, what }
    }
    const parameters = this.#header()
    if (parameters) return { kind: 'function', line, ...parameters, body: this.#block() }
    const isVar = this.#tryTake('var') || this.#tryTake('varip')
    if (this.#is('[') && !isVar) return this.#tupleOrExpression(line)
    const name = this.#declaredName()
    if (name !== undefined) return { kind: 'declare', line, names: [name], value: this.#expression(), isVar }
    const operator = this.#tokens[this.#next + 1]?.text ?? ''
    if (this.#kind() === 'name' && /^(:|[-+*/%])=$/.test(operator)) {
      const target = this.#name()
      this.#next++
      const value = this.#expression()
      if (operator === ':=') return { kind: 'assign', line, name: target, value }
      const left: Pine = { kind: 'name', line, name: target }
      return {
        kind: 'assign',
        line,
        name: target,
        value: { kind: 'binary', line, operator: operator[0] as string, left, right: value },
      }
    }
    return { kind: 'expression', line, value: this.#expression() }
  }

  /** Skips the rest of a line and the block below it. */
  #skipBlock(): void {
    while (this.#kind() !== 'newline') this.#next++
    if (this.#tokens[this.#next + 1]?.kind === 'indent') {
      let depth = 0
      do {
        this.#next++
        depth += this.#kind() === 'indent' ? 1 : this.#kind() === 'dedent' ? -1 : 0
      } while (depth > 0)
      this.#next++
    }
  }

  /** Reads `name(a, b = 1) =>`; undefined if another statement begins here. */
  #header(): { readonly name: string; readonly parameters: readonly Parameter[] } | undefined {
    if (this.#kind() !== 'name' || !this.#is('(', 1)) return undefined
    let end = this.#next + 1
    for (let depth = 0; this.#tokens[end]?.kind !== 'newline'; end++) {
      depth += this.#tokens[end]?.text === '(' ? 1 : this.#tokens[end]?.text === ')' ? -1 : 0
      if (depth === 0) break
    }
    if (this.#tokens[end + 1]?.text !== '=>') return undefined
    const name = this.#name()
    this.#expect('(')
    const parameters: Parameter[] = []
    while (!this.#tryTake(')')) {
      let parameter = this.#name()
      // A type may stand before the name.
      for (; !this.#is(',') && !this.#is(')') && !this.#is('='); this.#next++) parameter = this.#token.text
      parameters.push({ name: parameter, fallback: this.#tryTake('=') ? this.#expression() : undefined })
      if (!this.#is(')')) this.#expect(',')
    }
    this.#expect('=>')
    return { name, parameters }
  }

  /** Reads `name =` with a type before it; undefined if no declaration begins here. */
  #declaredName(): string | undefined {
    let at = this.#next
    if (/^(?:for|while|if|switch)$/.test(this.#token.text)) return undefined
    while (this.#tokens[at]?.kind === 'name' || /^[<>,[\]]$/.test(this.#tokens[at]?.text ?? '')) at++
    const name = this.#tokens[at - 1]
    if (at === this.#next || this.#tokens[at]?.text !== '=' || name?.kind !== 'name') return undefined
    this.#next = at + 1
    return name.text
  }

  #tupleOrExpression(line: number): Statement {
    const value = this.#expression()
    if (value.kind !== 'tuple' || !this.#tryTake('=')) return { kind: 'expression', line, value }
    const names = value.items.map(item => (item.kind === 'name' ? item.name : '_'))
    return { kind: 'declare', line, names, value: this.#expression(), isVar: false }
  }

  #expression(): Pine {
    return this.#deeper(() => {
      const { line } = this.#token
      const condition = this.#binary(0)
      if (!this.#tryTake('?')) return condition
      const yes = this.#expression()
      this.#expect(':')
      const no = this.#expression()
      const block = (value: Pine): Block => [{ kind: 'expression', line: value.line, value }]
      return {
        kind: 'choice',
        line,
        branches: [
          { condition, block: block(yes) },
          { condition: undefined, block: block(no) },
        ],
      }
    })
  }

  #binary(level: number): Pine {
    const operators = levels[level]
    if (!operators) return this.#unary()
    let left = this.#binary(level + 1)
    for (;;) {
      const { text: operator, line } = this.#token
      if (!operators.some(each => this.#is(each))) return left
      this.#next++
      left = { kind: 'binary', line, operator, left, right: this.#binary(level + 1) }
    }
  }

  #unary(): Pine {
    const { text: operator, line } = this.#token
    if (!this.#is('-') && !this.#is('+') && !this.#is('not')) return this.#postfixed()
    this.#next++
    return this.#deeper(() => ({ kind: 'unary', line, operator, of: this.#unary() }))
  }

  #postfixed(): Pine {
    let of = this.#primary()
    for (;;) {
      const { line } = this.#token
      if (this.#tryTake('[')) {
        of = { kind: 'history', line, of, by: this.#expression() }
        this.#expect(']')
      } else if (this.#is('.')) this.#fail('a field or a method of a value')
      else return of
    }
  }

  #primary(): Pine {
    const { kind, text, line } = this.#token
    if (kind === 'newline' || kind === 'end') this.#fail('expected a value, got the end of the line')
    this.#next++
    if (kind === 'number' || kind === 'text') return { kind, line, text }
    if (kind === 'sign' && text === '(') {
      const inner = this.#expression()
      this.#expect(')')
      return inner
    }
    if (kind === 'sign' && text === '[') {
      const items: Pine[] = []
      while (!this.#tryTake(']')) {
        items.push(this.#expression())
        if (!this.#is(']')) this.#expect(',')
      }
      return { kind: 'tuple', line, items }
    }
    if (kind !== 'name') this.#fail(`expected a value, got ${text}`)
    if (text === 'if') return { kind: 'choice', line, branches: this.#branches() }
    if (text === 'switch') return { kind: 'choice', line, branches: this.#cases() }
    if (text === 'for' || text === 'while') {
      while (this.#kind() !== 'newline') this.#next++
      return { kind: 'unsupported', line, what: 'a loop', block: this.#block() }
    }
    return this.#tryTake('(')
      ? { kind: 'call', line, name: text, args: this.#arguments() }
      : { kind: 'name', line, name: text }
  }

  #arguments(): readonly PineArgument[] {
    const args: PineArgument[] = []
    while (!this.#tryTake(')')) {
      const isNamed = this.#kind() === 'name' && this.#is('=', 1)
      const name = isNamed ? this.#name() : undefined
      if (isNamed) this.#expect('=')
      args.push({ ...(name !== undefined && { name }), value: this.#expression() })
      if (!this.#is(')')) this.#expect(',')
    }
    return args
  }

  /** Reads the branches after `if`. */
  #branches(): readonly Branch[] {
    const branches: Branch[] = [{ condition: this.#expression(), block: this.#block() }]
    while (this.#tryTake('else')) {
      const condition = this.#tryTake('if') ? this.#expression() : undefined
      branches.push({ condition, block: this.#block() })
    }
    return branches
  }

  /** Reads the cases after `switch`. With a subject each case is compared with it. */
  #cases(): readonly Branch[] {
    const subject = this.#kind() === 'newline' ? undefined : this.#expression()
    this.#next++
    if (this.#kind() !== 'indent') this.#fail('expected the cases of switch')
    this.#next++
    const branches: Branch[] = []
    while (this.#kind() !== 'dedent') {
      const { line } = this.#token
      const value = this.#is('=>') ? undefined : this.#expression()
      this.#expect('=>')
      const condition: Pine | undefined =
        value && subject ? { kind: 'binary', line, operator: '==', left: subject, right: value } : value
      branches.push({ condition, block: this.#block() })
    }
    this.#next++
    return branches
  }
}

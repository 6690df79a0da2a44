/** A token of a Pine script. `indent` and `dedent` enclose a block; `newline` ends a line that continues nowhere. */
export interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'sign' | 'newline' | 'indent' | 'dedent' | 'end'
  readonly text: string
  readonly line: number
}

/** A fault that ends the reading of a script, such as a bracket that is not closed. */
export class ScriptFault extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
  ) {
    super(reason)
  }
}

// Generic constructors such as array.new<float> are one name. A # begins the number of a colour.
const pattern =
  /([ \t]+)|(\/\/.*)|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(#[0-9a-fA-F]{6,8})|([A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*(?:(?<=\.new)<[\w., <]+>)?)|(=>|:=|\+=|-=|\*=|\/=|%=|==|!=|<=|>=|[-+*/%<>=?:,.()[\]])/y

/** Tokens after which an expression has no end, so the next line continues it. */
const unfinished: ReadonlySet<string> = new Set(
  'and or not + - * / % ? : , < > <= >= == != = := += -= *= /= %= .'.split(' '),
)

/** Tokens of one line of text, and the width of its indentation. */
function lineTokens(text: string, line: number): { readonly tokens: Token[]; readonly indent: number } {
  const tokens: Token[] = []
  let indent = 0
  for (let from = 0; from < text.length; from = pattern.lastIndex) {
    pattern.lastIndex = from
    const [whole, space, comment, number, string, colour, name, sign] = pattern.exec(text) ?? []
    if (whole === undefined) throw new ScriptFault(line, `unexpected character ${text[from]}`)
    if (space !== undefined && from === 0) indent = space.replaceAll('\t', '    ').length
    if (number !== undefined) tokens.push({ kind: 'number', text: number, line })
    else if (string !== undefined) tokens.push({ kind: 'text', text: string.slice(1, -1), line })
    else if (colour !== undefined) tokens.push({ kind: 'name', text: 'color.hex', line })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.replaceAll(/\s/g, ''), line })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, line })
    else if (comment !== undefined) break
  }
  return { tokens, indent }
}

/** Change of the bracket depth by the tokens of a line. */
const depthOf = (tokens: readonly Token[]): number =>
  tokens.reduce(
    (depth, { kind, text }) =>
      kind !== 'sign' ? depth : '(['.includes(text) ? depth + 1 : ')]'.includes(text) ? depth - 1 : depth,
    0,
  )

/**
 * Splits a script into tokens. A line continues the line before if a bracket is open, if that line ends with an operator, or if
 * its indentation is not a multiple of four. Throws a `ScriptFault`.
 */
export function tokenize(script: string): readonly Token[] {
  const tokens: Token[] = []
  const indents = [0]
  let depth = 0
  for (const [index, text] of script.split(/\r?\n/).entries()) {
    const line = index + 1
    const { tokens: found, indent } = lineTokens(text, line)
    const [first] = found
    if (!first) continue
    const last = tokens.at(-1)
    const continues = depth > 0 || (last !== undefined && (indent % 4 !== 0 || unfinished.has(last.text)))
    if (!continues) {
      if (last) tokens.push({ kind: 'newline', text: '', line: last.line })
      if (indent > (indents.at(-1) as number)) {
        indents.push(indent)
        tokens.push({ kind: 'indent', text: '', line })
      }
      for (; indent < (indents.at(-1) as number); indents.pop())
        tokens.push({ kind: 'dedent', text: '', line })
    }
    tokens.push(...found)
    depth += depthOf(found)
  }
  const line = tokens.at(-1)?.line ?? 1
  if (depth > 0) throw new ScriptFault(line, 'a bracket is not closed')
  tokens.push({ kind: 'newline', text: '', line })
  for (; indents.length > 1; indents.pop()) tokens.push({ kind: 'dedent', text: '', line })
  tokens.push({ kind: 'end', text: '', line })
  return tokens
}

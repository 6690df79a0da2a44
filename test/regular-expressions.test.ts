import { analyse } from 'scslre'
import { describe, expect, it } from 'vitest'
import { isNode, type Node, nodesOf, parse, type SourceFile, sourceFiles } from './support/source-code.js'

// For any text from outside, a regular expression looks at each character a bounded number of times. scslre reports other
// expressions. These are repetitions within each other (`Self`) or next to each other (`Trade`), and repetitions that restart
// at each character (`Move`).

interface Expression {
  /** The file and the line. */
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** The texts of the constants of a file that are literals or templates. */
function constantsOf(nodes: readonly Node[]): ReadonlyMap<string, Node> {
  const declared = nodes.filter(({ type, init }) => type === 'VariableDeclarator' && isNode(init))
  return new Map(declared.map(({ id, init }) => [(id as Node).name as string, init as Node]))
}

/**
 * The text of a composed pattern, with a letter for each part that is not written in the file. Undefined if the file
 * has no part of it.
 */
function patternOf(node: Node, constants: ReadonlyMap<string, Node>): string | undefined {
  if (node.type === 'Literal') return String(node.value)
  if (node.type === 'Identifier') {
    const constant = constants.get(node.name as string)
    return constant && patternOf(constant, constants)
  }
  const isRaw = node.type === 'TaggedTemplateExpression'
  const template = isRaw ? (node.quasi as Node) : node
  if (template.type !== 'TemplateLiteral') return undefined
  const texts = template.quasis as { readonly value: { readonly raw: string; readonly cooked: string } }[]
  const inserted = template.expressions as readonly Node[]
  return texts
    .map(({ value }, at) => {
      const next = inserted[at]
      return (isRaw ? value.raw : value.cooked) + (next ? (patternOf(next, constants) ?? 'x') : '')
    })
    .join('')
}

/** The regular expressions of a file: literals, and arguments of `RegExp`. */
function expressionsOf(file: SourceFile): readonly Expression[] {
  const nodes = nodesOf(parse(file))
  const constants = constantsOf(nodes)
  return nodes.flatMap((node): readonly Expression[] => {
    const isLiteral = isNode(node.regex) || typeof node.regex === 'object'
    const isMade =
      (node.type === 'NewExpression' || node.type === 'CallExpression') &&
      (node.callee as Node).name === 'RegExp'
    if (!isLiteral && !isMade) return []
    const place = `${file.path}:${file.text.slice(0, node.start as number).split('\n').length}`
    if (isLiteral) {
      const { pattern, flags } = node.regex as { readonly pattern: string; readonly flags: string }
      return [{ place, source: pattern, flags }]
    }
    const [pattern, flags] = node.arguments as readonly Node[]
    const source = pattern && patternOf(pattern, constants)
    if (source === undefined)
      throw new Error(`${place}: the pattern cannot be read. Write it as a literal or a template`)
    return [{ place, source, flags: flags ? String(flags.value) : '' }]
  })
}

const names = {
  Self: 'a repetition within a repetition',
  Trade: 'two repetitions of the same characters next to each other',
  Move: 'a repetition that begins anew at each character',
} as const

/** Faults of an expression that needs more steps than a text has characters. */
const slow = ({ place, source, flags }: Expression): readonly string[] =>
  analyse(new RegExp(source, flags)).reports.map(
    ({ type }) => `${place}: ${names[type]} in /${source}/${flags}`,
  )

describe('regular expressions', () => {
  const files = ['src', 'page', 'scripts'].flatMap(sourceFiles)
  /** Two levels of folders, so that no test analyses many expressions. */
  const placeOf = ({ path }: SourceFile) => path.split('/').slice(0, -1).slice(0, 2).join('/')

  it.each([...new Set(files.map(placeOf))])('take time in proportion to the text in %s', place => {
    expect(
      files
        .filter(file => placeOf(file) === place)
        .flatMap(expressionsOf)
        .flatMap(slow),
    ).toEqual([])
  })

  it.each(['src', 'page', 'scripts'])('are read in %s', folder => {
    const within = files.filter(({ path }) => path.startsWith(`${folder}/`))
    // Enough for more than ten.
    let found = 0
    for (let at = 0; found <= 10 && at < within.length; at++)
      found += expressionsOf(within[at] as SourceFile).length
    expect(found).toBeGreaterThan(10)
  })

  const inText = (text: string) => expressionsOf({ path: 'src/a.ts', text }).flatMap(slow)

  it.each([
    ['/(a+)+$/', 'Self'],
    ['/^(?:a|a+)*$/', 'Self'],
    ['/^(-?[\\w.]+) *(<=?) *([^<>]+) *$/', 'Trade'],
    ['/^\\d+\\.?\\d*$/', 'Trade'],
    ['/\\s+$/', 'Move'],
    ['/([A-Z]+)x/g', 'Move'],
    ['new RegExp("^(.+?) +(.+)$")', 'Trade'],
    [`const part = String.raw\`\\s*\`\nnew RegExp(String.raw\`^a\\s*\${part}b\`, "i")`, 'Trade'],
    [`const part = "a+"\nRegExp(\`^(\${part})+b\`)`, 'Self'],
  ] as const)('are found in %j', (text, type) => {
    expect(inText(text).join()).toContain(names[type])
  })

  it.each([
    '/^[a-z]+_\\d+$/',
    '/(?<!\\s)\\s+$/',
    '/\\d{1,3}/',
    `new RegExp(\`^\${name}=(\\\\w+)$\`)`,
    '"/(a+)+$/"',
    '// /(a+)+$/',
  ])('are left alone in %j', text => {
    expect(inText(text)).toEqual([])
  })

  it('whose pattern cannot be read are refused', () => {
    expect(() => inText('new RegExp(read())')).toThrow('src/a.ts:1: the pattern cannot be read')
  })
})

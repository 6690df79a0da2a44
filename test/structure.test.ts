import { describe, expect, it } from 'vitest'
import {
  isNode,
  type Node,
  nameOf,
  nodesOf,
  parse,
  type SourceFile,
  sourceFiles,
  specifierOf,
} from './support/source-code.js'

const maxFileLines = 700
const maxFunctionLines = 60
const maxParameters = 5
/**
 * Longer limit of a loop that keeps five sums of two columns in variables. A part of it in another function could not
 * return them all.
 */
const longLoops = { 'assembly/parts/windows/comoments.ts': 85 } as Readonly<Record<string, number>>

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

const linesIn = (text: string) => text.replace(/\n$/, '').split('\n').length

/** The file of which ccxt calls a function with more parameters. */
const calledByCcxt = 'src/markets/exchanges/ccxt/open-client.ts'

/** Parts that are longer or wider than allowed: the file, and each function with its first line. */
function tooLong(file: SourceFile): readonly string[] {
  const { path, text } = file
  const lines = linesIn(text)
  const most = longLoops[path] ?? maxFunctionLines
  const found =
    lines > maxFileLines ? [`${path}: the file has ${lines} lines, at most ${maxFileLines} are allowed`] : []
  const hasFewParameters = path.startsWith('src/') && path !== calledByCcxt
  if (lines <= most && !hasFewParameters) return found
  for (const { type, body, params, start, end } of nodesOf(parse(file))) {
    if (!functions.has(type) || !isNode(body)) continue
    const place = `${path}:${text.slice(0, start as number).split('\n').length}`
    const length = linesIn(text.slice(start as number, end as number))
    if (length > most) found.push(`${place}: a function has ${length} lines, at most ${most} are allowed`)
    const { length: count } = params as readonly Node[]
    if (hasFewParameters && count > maxParameters)
      found.push(`${place}: a function has ${count} parameters, at most ${maxParameters} are allowed`)
  }
  return found
}

/** The only file that waits for turns of the event loop, and so shares them out. */
const schedulerFile = 'src/runtime/scheduler.ts'
const yields = new Set(['setImmediate', 'clearImmediate'])
const timers = /^(node:)?timers\/promises$/

/** Whether a file waits for turns of the event loop by itself. */
function yieldsByItself(file: SourceFile): boolean {
  if (file.path === schedulerFile || !/Immediate\b|\bscheduler\b/.test(file.text)) return false
  return nodesOf(parse(file)).some(node => {
    if (node.type === 'Identifier') return yields.has(node.name as string)
    // `scheduler.yield()` of Node.js.
    if (node.type === 'MemberExpression')
      return nameOf(node.object) === 'scheduler' && nameOf(node.property) === 'yield'
    return (
      node.type === 'ImportDeclaration' &&
      timers.test(specifierOf(node) ?? '') &&
      (node.specifiers as Node[]).some(({ imported }) => nameOf(imported) === 'scheduler')
    )
  })
}

describe('the event loop', () => {
  it('is shared out by one file', () => {
    expect(sourceFiles('src').filter(yieldsByItself)).toEqual([])
    const text = "import { setImmediate as nextTurn } from 'node:timers/promises'\n"
    expect(yieldsByItself({ path: 'src/markets/feeds/feed.ts', text })).toBe(true)
    expect(yieldsByItself({ path: 'src/markets/feeds/feed.ts', text: 'scheduler.yield()\n' })).toBe(true)
    const imported = "import { scheduler } from 'node:timers/promises'\n"
    expect(yieldsByItself({ path: 'src/markets/feeds/feed.ts', text: imported })).toBe(true)
    expect(yieldsByItself({ path: 'src/markets/feeds/feed.ts', text: '// setImmediate\nnext()\n' })).toBe(
      false,
    )
  })
})

/** Modules that build tables from constants at their first use, with the source of the tables. */
const lazyTables: Readonly<Record<string, string>> = {
  'src/catalogue/ranking.ts': 'the entries of the catalogue',
  'src/contract/fields.ts': 'the schemas of requests',
  'src/contract/query.ts': 'the entries of the catalogue',
  'src/markets/exchanges/stocks/trading-hours.ts': 'the calendar of New York',
}
const growing = new Set(['Map', 'WeakMap', 'LRUCache', 'TextCache', 'SeenKeys'])

/**
 * Caches of a module: collections that are empty at first, or that forget. A `Map` made with entries is a table of
 * constants.
 */
function moduleCaches(file: SourceFile): readonly string[] {
  if (![...growing].some(name => file.text.includes(`new ${name}`))) return []
  const { body } = parse(file) as { readonly body: readonly Node[] }
  return body
    .map(statement => (isNode(statement.declaration) ? statement.declaration : statement))
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap(({ declarations }) => declarations as readonly Node[])
    .map(({ init }) => init)
    .filter(isNode)
    .filter(({ type }) => type === 'NewExpression')
    .filter(({ callee, arguments: given }) => {
      const { name } = callee as Node
      const isTable = name === 'Map' && (given as readonly unknown[]).length > 0
      return growing.has(name as string) && !isTable
    })
    .map(({ callee }) => `${file.path}: ${(callee as Node).name}`)
}

describe('caches', () => {
  it('belong to what the service makes, not to modules, so that two services share nothing', () => {
    const found = sourceFiles('src').filter(({ path }) => !(path in lazyTables))
    expect(found.flatMap(moduleCaches)).toEqual([])
    for (const path of Object.keys(lazyTables))
      expect(
        sourceFiles('src')
          .filter(file => file.path === path)
          .flatMap(moduleCaches),
        path,
      ).toHaveLength(1)
  })

  it.each([
    ['const known = new Map<string, number>()', ['src/a.ts: Map']],
    ['export const known = new LRUCache({ max: 9 })', ['src/a.ts: LRUCache']],
    ['const known = new Map([[1, 2]])', []],
    ['class A {\n  #known = new Map()\n}', []],
  ])('are found in %j', (text, found) => {
    expect(moduleCaches({ path: 'src/a.ts', text })).toEqual(found)
  })
})

describe('files and functions', () => {
  it.each(['src', 'interface', 'assembly', 'page'])('are short in %s', folder => {
    expect(sourceFiles(folder).flatMap(tooLong)).toEqual([])
  })

  const lines = (count: number) => 'x()\n'.repeat(count)
  const path = 'src/runtime/log.ts'

  it('are refused beyond their limit, with the file and the line', () => {
    expect(tooLong({ path, text: lines(maxFileLines) })).toEqual([])
    expect(tooLong({ path, text: lines(maxFileLines + 1) })).toEqual([
      'src/runtime/log.ts: the file has 701 lines, at most 700 are allowed',
    ])
    const text = (inside: number) => `@inline\nfunction f(): void {\n${lines(inside)}}\n`
    expect(tooLong({ path: 'assembly/frame.ts', text: text(maxFunctionLines - 2) })).toEqual([])
    expect(tooLong({ path: 'assembly/frame.ts', text: text(maxFunctionLines - 1) })).toEqual([
      'assembly/frame.ts:2: a function has 61 lines, at most 60 are allowed',
    ])
  })

  it('have at most five parameters in src', () => {
    const text = '\nconst f = (a: A, b: B, c: C, d: D, e: E, f: F) => a\n'
    expect(tooLong({ path, text })).toEqual([
      'src/runtime/log.ts:2: a function has 6 parameters, at most 5 are allowed',
    ])
    expect(tooLong({ path, text: text.replace(', f: F', '') })).toEqual([])
  })

  it('are measured with everything inside, in methods and arrow functions too', () => {
    const inner = `const g = () => {\n${lines(maxFunctionLines)}}\n`
    const text = `class A {\n  m() {\n    const f = () => {\n      ${inner}    }\n  }\n}\n`
    expect(
      tooLong({ path, text }).map(found => /:(\d+): a function has (\d+)/.exec(found)?.slice(1)),
    ).toEqual([
      ['2', '66'],
      ['3', '64'],
      ['4', '62'],
    ])
  })
})

describe('the source of the service', () => {
  const files = sourceFiles('src').filter(({ path }) => !path.startsWith('src/catalogue/'))

  it('has at most 400 files, so that a subject is not cut into fragments', () => {
    expect(files.length).toBeLessThanOrEqual(400)
  })

  it('tells an answer in memory from one that has to be awaited in two places', () => {
    const counts = files.map(({ text }) => text.split('instanceof Promise').length - 1)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2)
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isNode, nodesOf, parse, type SourceFile, sourceFiles } from './support/source-code.js'

const glossary = readFileSync(new URL('../docs/glossary.md', import.meta.url), 'utf8')
const [terms = '', notUsed = ''] = glossary.split('## Not used')

/** Rows of a table of the glossary, without its head. */
const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line => line.slice(2, -2).split(' | '))
    .slice(1)

/**
 * Forbidden names of the glossary. With backticks, a name is a forbidden identifier; without them, a forbidden word
 * within identifiers.
 */
const forbidden = rowsOf(notUsed).flatMap(([not = '']) => not.split(', '))
const forbiddenNames = new Set(
  forbidden.filter(each => each.startsWith('`')).map(each => each.replaceAll('`', '')),
)
const forbiddenWords = forbidden.filter(each => !each.startsWith('`'))

/** Every name of a file once: of variables, functions, types, members and private members. */
function identifiersIn(file: SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  for (const node of nodesOf(parse(file)))
    if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') names.add(String(node.name))
  return names
}

const isForbidden = (name: string): boolean =>
  forbiddenNames.has(name) || forbiddenWords.some(word => name.includes(word))

/** Parses only files whose text has a forbidden name, be it in a comment. */
const faultsIn = (file: SourceFile): readonly string[] =>
  [...forbiddenNames, ...forbiddenWords].some(name => file.text.includes(name))
    ? [...identifiersIn(file)].filter(isForbidden).map(name => `${file.path}: ${name}`)
    : []

/** Names that a file exports. */
function exportsOf(file: SourceFile): readonly string[] {
  const { body } = parse(file) as { readonly body: readonly { readonly [key: string]: unknown }[] }
  return body.flatMap(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || !isNode(declaration)) return []
    const { id, declarations = [] } = declaration
    return [id, ...(declarations as readonly { readonly id: unknown }[]).map(each => each.id)].flatMap(
      each => (isNode(each) && typeof each.name === 'string' ? [each.name] : []),
    )
  })
}

describe('names', () => {
  const files = sourceFiles('src')

  const folderOf = ({ path }: SourceFile) => path.split('/').slice(0, -1).slice(0, 2).join('/')
  const named = [...files, ...sourceFiles('interface')]

  it.each([...new Set(named.map(folderOf))])('are none that the glossary replaces in %s', folder => {
    expect(forbiddenNames.size).toBeGreaterThan(10)
    expect(named.filter(file => folderOf(file) === folder).flatMap(faultsIn)).toEqual([])
  })

  it.each([
    ['const keyOf = (each: Market) => each.symbol', 'keyOf'],
    ['class Usage {\n  #textOf() {}\n}', 'textOf'],
    ['interface JointSource {}', 'JointSource'],
    ['queue.bury(message)', 'bury'],
  ])('are found in %j', (text, name) => {
    expect(faultsIn({ path: 'src/a.ts', text })).toEqual([`src/a.ts: ${name}`])
  })

  it('of the glossary are exported where it says', () => {
    const rows = rowsOf(terms)
    expect(rows.length).toBeGreaterThanOrEqual(40)
    const missing = rows.filter(([, , where = '']) => {
      const [, name = '', path = ''] = /^`(\w+)` in `(\S+)`$/.exec(where) ?? []
      const file = files.find(each => each.path === path)
      return !file || !exportsOf(file).includes(name)
    })
    expect(missing).toEqual([])
  })

  it('of the glossary are each explained once', () => {
    const names = rowsOf(terms).map(([term]) => term)
    expect(names.filter((term, at) => names.indexOf(term) !== at)).toEqual([])
  })
})

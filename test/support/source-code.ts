import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { parseSync } from 'rolldown/utils'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface SourceFile {
  /** From the root of the project, with slashes. */
  readonly path: string
  readonly text: string
}

/** A node of a syntax tree (ESTree, with TypeScript). */
export interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

/** All TypeScript and JavaScript files of a folder of the project. */
export function sourceFiles(folder: string): readonly SourceFile[] {
  return (
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(file => file.isFile() && /\.[cm]?[jt]sx?$/.test(file.name))
      .map(file => join(file.parentPath, file.name))
      // bench/peers has packages of its own.
      .filter(path => !path.includes(`${sep}node_modules${sep}`))
      .map(path => ({ path: withSlashes(relative(root, path)), text: readFileSync(path, 'utf8') }))
  )
}

const withSlashes = (path: string) => path.split(sep).join('/')

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

/** Every node of a syntax tree, each before those within it. */
export function nodesOf(tree: unknown): readonly Node[] {
  const found: Node[] = []
  const visit = (part: unknown) => {
    if (Array.isArray(part)) part.forEach(visit)
    if (!isNode(part)) return
    found.push(part)
    Object.values(part).forEach(visit)
  }
  visit(tree)
  return found
}

/**
 * The syntax tree of a file. AssemblyScript puts decorators on functions, which TypeScript does not allow. They are replaced
 * by spaces, so that every line and column is kept.
 */
export const parse = ({ text }: SourceFile): unknown => parseAst(withoutDecorators(text), { lang: 'ts' })

export const withoutDecorators = (text: string) =>
  text.replace(/^\s*@(inline|unmanaged|operator\([^)]*\))\s*$/gm, found => found.replace(/\S/g, ' '))

/**
 * The modules that a file imports or exports from, values and types alike. Builds the syntax tree only of files that may import
 * within an expression or a type, because it costs ten times as much.
 */
export function specifiersOf(file: SourceFile): readonly string[] {
  const found = specifiers.get(file.text) ?? readSpecifiers(file)
  specifiers.set(file.text, found)
  return found
}
/** Specifiers by the text of their file, because the checks of folders and of cycles read the same files. */
const specifiers = new Map<string, readonly string[]>()

function readSpecifiers(file: SourceFile): readonly string[] {
  const { path, text } = file
  if (/\b(import|require)\s*\(/.test(text))
    return nodesOf(parse(file))
      .map(specifierOf)
      .filter(specifier => specifier !== undefined)
  const { staticImports, staticExports } = parseSync(path, withoutDecorators(text), { lang: 'ts' }).module
  const exported = staticExports.flatMap(({ entries }) =>
    entries.map(({ moduleRequest }) => moduleRequest?.value),
  )
  return [...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported].filter(
    specifier => specifier !== undefined,
  )
}

/** The text of a string literal or of a template without expressions. */
function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'TSLiteralType' || node.type === 'TSExternalModuleReference')
    return textOf(node.literal ?? node.expression)
  if (node.type === 'TemplateLiteral') {
    const [only, ...others] = node.quasis as { value: { cooked: string } }[]
    return others.length === 0 ? only?.value.cooked : undefined
  }
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

/** The name of an identifier, or the value of a literal. */
export const nameOf = (node: unknown) => (isNode(node) ? (node.name ?? node.value) : undefined)

const importing = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

/** The module that a node imports, be it a value, a type, a re-export or a dynamic import. */
export function specifierOf(node: Node): string | undefined {
  if (importing.has(node.type)) return textOf(node.source ?? node.argument)
  if (node.type === 'TSImportEqualsDeclaration') return textOf(node.moduleReference)
  const isRequire = node.type === 'CallExpression' && nameOf(node.callee) === 'require'
  return isRequire ? textOf((node.arguments as unknown[])[0]) : undefined
}

/** The target of a relative specifier in the file at `path`, from the root of the project. */
export const targetOf = (path: string, specifier: string): string =>
  withSlashes(normalize(join(dirname(path), specifier)))

/** Possible names of a target on disk: sources import compiled names, the assembly omits the ending. */
export const filesOf = (target: string): readonly string[] => [
  target,
  target.replace(/\.js$/, '.ts'),
  `${target}.ts`,
]

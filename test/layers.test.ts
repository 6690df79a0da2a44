import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseAst } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The layers of src by height: a file imports from its own layer and from lower ones, never from a neighbour. */
const heights: Readonly<Record<string, number>> = {
  main: 9,
  cli: 9,
  service: 8,
  greeting: 8,
  shutdown: 8,
  server: 7,
  config: 6,
  log: 6,
  api: 5,
  stream: 5,
  live: 4,
  history: 3,
  exchanges: 2,
  compute: 2,
  contract: 1,
  catalogue: 0,
  candles: 0,
  store: 0,
  metrics: 0,
}
/** Below all of them: what scripts/setup.mjs makes of the assembly. */
const built = /^build\/kernels(\.debug)?\.(js|wasm)$/
/** Either entry point may start the other one. */
const entryPoints = ['main', 'cli']

/** Packages with one importer. */
const importers: Readonly<Record<string, string>> = {
  'uWebSockets.js': 'src/server/uws.ts',
  ccxt: 'src/exchanges/ccxt/client.ts',
  '@assemblyscript/loader': 'src/compute/wasm-module.ts',
  lmdb: 'src/store/embedded.ts',
  'p-queue': 'src/exchanges/request-queue.ts',
  piscina: 'src/compute/workers/pool.ts',
  'yahoo-finance2': 'src/exchanges/stocks/stocks-source.ts',
  'prom-client': 'src/metrics/metrics.ts',
  'csv-parse': 'src/cli/csv/reader.ts',
  'cli-progress': 'src/cli/progress.ts',
  leven: 'src/cli/market.ts',
  yauzl: 'src/cli/csv/input-file.ts',
}
const environmentReader = 'src/config.ts'

interface Source {
  /** From the root of the project, with slashes. */
  readonly path: string
  readonly text: string
}

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

/** Every node of a syntax tree. */
function* nodes(tree: unknown): Generator<Node> {
  if (Array.isArray(tree)) for (const element of tree) yield* nodes(element)
  if (!isNode(tree)) return
  yield tree
  for (const value of Object.values(tree)) yield* nodes(value)
}

const textOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined
  if (node.type === 'TSLiteralType' || node.type === 'TSExternalModuleReference')
    return textOf(node.literal ?? node.expression)
  if (node.type === 'TemplateLiteral') {
    const [only, ...others] = node.quasis as { value: { cooked: string } }[]
    return others.length === 0 ? only?.value.cooked : undefined
  }
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

const nameOf = (node: unknown) => (isNode(node) ? (node.name ?? node.value) : undefined)

const importing = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

/** The module that a node imports, be it a value, a type, a re-export or a dynamic import. */
function specifierOf(node: Node): string | undefined {
  if (importing.has(node.type)) return textOf(node.source ?? node.argument)
  if (node.type === 'TSImportEqualsDeclaration') return textOf(node.moduleReference)
  const isRequire = node.type === 'CallExpression' && nameOf(node.callee) === 'require'
  return isRequire ? textOf((node.arguments as unknown[])[0]) : undefined
}

/** Whether a node takes the environment out of `process`. */
function readsEnvironment(node: Node): boolean {
  if (node.type === 'MemberExpression')
    return nameOf(node.object) === 'process' && nameOf(node.property) === 'env'
  if (node.type === 'VariableDeclarator') {
    const takes = isNode(node.id) && node.id.type === 'ObjectPattern' ? (node.id.properties as Node[]) : []
    return nameOf(node.init) === 'process' && takes.some(property => nameOf(property.key) === 'env')
  }
  if (node.type === 'ImportDeclaration' && /^(node:)?process$/.test(textOf(node.source) ?? '')) {
    return (node.specifiers as Node[]).some(specifier => nameOf(specifier.imported) === 'env')
  }
  return false
}

/** `src/exchanges/ccxt/client.ts` is in the layer `exchanges`, `src/main.ts` in `main`. */
const layerOf = (path: string) => path.split('/')[1]?.replace(/\.[jt]s$/, '') ?? ''

const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** What is wrong with the imports of one file of src. */
function offences({ path, text }: Source): readonly string[] {
  const found: string[] = []
  const layer = layerOf(path)
  const height = heights[layer]
  if (height === undefined) return [`${path} is in no layer`]
  for (const node of nodes(parseAst(text, { lang: 'ts' }))) {
    if (readsEnvironment(node) && path !== environmentReader) found.push(`${path} reads the environment`)
    const specifier = specifierOf(node)
    if (specifier === undefined) continue
    if (!specifier.startsWith('.')) {
      const importer = importers[packageOf(specifier)]
      if (importer && importer !== path) found.push(`${path} imports ${specifier}, which is for ${importer}`)
      continue
    }
    const target = normalize(join(dirname(path), specifier))
      .split(sep)
      .join('/')
    if (built.test(target)) continue
    const other = layerOf(target)
    const otherHeight = target.startsWith('src/') ? heights[other] : undefined
    if (otherHeight === undefined) found.push(`${path} imports ${target}, which is in no layer`)
    else if (otherHeight > height) found.push(`${path} imports ${target}, which is above it`)
    else if (
      otherHeight === height &&
      other !== layer &&
      !(entryPoints.includes(layer) && entryPoints.includes(other))
    ) {
      found.push(`${path} imports ${target}, which is beside it`)
    }
  }
  return found
}

/** What the assembly imports from elsewhere; its dialect has decorators that no other parser reads. */
function strays({ path, text }: Source): readonly string[] {
  const imports = text.matchAll(/^\s*(?:import|export)\b(?:[^'"()]*?\bfrom)?\s*['"]([^'"\n]+)['"]/gm)
  return [...imports]
    .map(([, specifier = '']) => specifier)
    .filter(specifier => {
      const target = normalize(join(dirname(path), specifier))
        .split(sep)
        .join('/')
      return !specifier.startsWith('.') || !target.startsWith('assembly/')
    })
    .map(specifier => `${path} imports ${specifier}, which is outside the assembly`)
}

function sources(folder: string): readonly Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(file => file.isFile() && /\.[cm]?[jt]sx?$/.test(file.name))
    .map(file => join(file.parentPath, file.name))
    .map(path => ({ path: relative(root, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }))
}

describe('the layers', () => {
  it('import downwards only, and outside packages in one place each', () => {
    expect(sources('src').flatMap(offences)).toEqual([])
  })

  it('stand on an assembly that imports nothing outside itself', () => {
    expect(sources('assembly').flatMap(strays)).toEqual([])
  })

  const made: readonly (readonly [path: string, text: string, offence: string])[] = [
    [
      'src/candles/series.ts',
      "import { serve } from '../server/uws.js'",
      'src/server/uws.js, which is above it',
    ],
    [
      'src/api/bulk.ts',
      "import type { Hub } from '../stream/hub.js'",
      'src/stream/hub.js, which is beside it',
    ],
    [
      'src/exchanges/registry.ts',
      "export { answer } from '../compute/answer.js'",
      'src/compute/answer.js, which is beside it',
    ],
    ['src/contract/bulk.ts', "export * from '../api/bulk.js'", 'src/api/bulk.js, which is above it'],
    [
      'src/store/redis.ts',
      "const series = await import('../candles/series.js')",
      'src/candles/series.js, which is beside it',
    ],
    [
      'src/candles/parse.ts',
      'const routes = import(`../api/routes.js`)',
      'src/api/routes.js, which is above it',
    ],
    [
      'src/contract/query.ts',
      "type Reply = import('../api/routes.js').Reply",
      'src/api/routes.js, which is above it',
    ],
    ['src/api/routes.ts', "import { log } from '../log.js'", 'src/log.js, which is above it'],
    [
      'src/compute/bulk-dispatch.ts',
      "import { port } from '../config.js'",
      'src/config.js, which is above it',
    ],
    ['src/server/uws.ts', "import '../main.js'", 'src/main.js, which is above it'],
    [
      'src/catalogue/trend.ts',
      "import { law } from '../../test/support/laws/law.js'",
      'test/support/laws/law.js, which is in no layer',
    ],
    ['src/gadgets/lamp.ts', '', 'src/gadgets/lamp.ts is in no layer'],
    [
      'src/stream/session.ts',
      "import type { WebSocket } from 'uWebSockets.js'",
      'which is for src/server/uws.ts',
    ],
    [
      'src/history/history.ts',
      "import binance from 'ccxt/js/src/binance.js'",
      'which is for src/exchanges/ccxt/client.ts',
    ],
    [
      'src/compute/workers/worker.ts',
      "import { instantiate } from '@assemblyscript/loader'",
      'which is for src/compute/wasm-module.ts',
    ],
    ['src/store/store.ts', "import lmdb = require('lmdb')", 'which is for src/store/embedded.ts'],
    [
      'src/compute/bulk-dispatch.ts',
      "const { Piscina } = require('piscina')",
      'which is for src/compute/workers/pool.ts',
    ],
    ['src/log.ts', 'const level = process.env.LEVEL', 'src/log.ts reads the environment'],
    ['src/log.ts', "const level = process['env'].LEVEL", 'src/log.ts reads the environment'],
    ['src/main.ts', 'const { env } = process', 'src/main.ts reads the environment'],
    ['src/cli/keys.ts', "import { env } from 'node:process'", 'src/cli/keys.ts reads the environment'],
  ]
  for (const [path, text, offence] of made) {
    it(`refuse in ${path}: ${text || 'being there'}`, () => {
      expect(offences({ path, text })).toEqual([expect.stringContaining(offence)])
    })
  }

  it('let pass what goes down or stays in its layer', () => {
    const text = `
      import type { Kernels } from '../../build/kernels.js'
      import { rsi } from '../catalogue/index.js'
      import { calculator } from './calculator.js'
      import { join } from 'node:path'
      // import { routes } from '../api/routes.js'
      const sentence = "import { routes } from '../api/routes.js'"
    `
    expect(offences({ path: 'src/compute/answer.ts', text })).toEqual([])
    expect(
      offences({ path: 'src/main.ts', text: "import { log } from './log.js'\nimport('./cli/serve.js')" }),
    ).toEqual([])
    expect(offences({ path: 'src/config.ts', text: 'export const port = process.env.PORT' })).toEqual([])
  })

  it('refuse an assembly that imports from elsewhere', () => {
    const path = 'assembly/kernels/trend/odd.ts'
    expect(strays({ path, text: "import { Frame } from '../../frame'\n" })).toEqual([])
    for (const specifier of ['../../../src/catalogue/index', 'wasi', '../../../node_modules/x']) {
      expect(strays({ path, text: `import { x } from '${specifier}'\n` })).toHaveLength(1)
    }
    expect(strays({ path, text: "import '../../../src/main'\n" })).toHaveLength(1)
  })
})

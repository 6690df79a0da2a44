import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  filesOf,
  isNode,
  type Node,
  nameOf,
  nodesOf,
  parse,
  type SourceFile,
  sourceFiles,
  specifierOf,
  specifiersOf,
  targetOf,
} from './support/source-code.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The floors of src, from the ground up: a folder imports from lower floors, never from a folder of its own floor. */
const floors: readonly (readonly string[])[] = [
  ['runtime', 'catalogue', 'candles'],
  ['contract', 'client'],
  ['compute', 'store', 'markets'],
  ['screens', 'alerts'],
  ['live', 'http'],
  ['operate'],
  ['cli', 'main'],
]
const heights: Readonly<Record<string, number>> = Object.fromEntries(
  floors.flatMap((folders, height) => folders.map(folder => [folder, height])),
)
/** Lowest layer: the modules that scripts/setup.mjs builds from the assembly, and the types that it makes from schemas. */
const built = /^build\/(kernels(\.debug)?\.(js|wasm)|json-types\.js)$/
/** Entry points of the same height that may import each other. */
const entryPoints = ['main', 'cli']

/** Packages that one file alone may import. */
const importers: Readonly<Record<string, string>> = {
  'uWebSockets.js': 'src/http/drivers/uws.ts',
  ws: 'src/runtime/web-sockets.ts',
  ccxt: 'src/markets/exchanges/ccxt/client.ts',
  '@assemblyscript/loader': 'src/compute/wasm/module.ts',
  lmdb: 'src/store/embedded/embedded.ts',
  'fs-native-extensions': 'src/store/embedded/lock.ts',
  ioredis: 'src/store/redis/redis-client.ts',
  'p-queue': 'src/markets/exchanges/request-queue.ts',
  piscina: 'src/compute/workers/pool.ts',
  'yahoo-finance2': 'src/markets/exchanges/stocks/yahoo.ts',
  'prom-client': 'src/operate/metrics/metrics-server.ts',
  fzstd: 'src/candles/files/unpack.ts',
  hucre: 'src/candles/files/workbook.ts',
  hyparquet: 'src/candles/files/parquet.ts',
  'hyparquet-compressors': 'src/candles/files/parquet.ts',
  'cli-progress': 'src/cli/progress.ts',
  '@uwdata/flechette': 'src/candles/files/flechette.ts',
  leven: 'src/contract/hints.ts',
  nodemailer: 'src/alerts/mail.ts',
  ...Object.fromEntries(
    ['api', 'core', 'exporter-trace-otlp-http', 'resources', 'sdk-trace-base'].map(name => [
      `@opentelemetry/${name}`,
      'src/operate/metrics/tracing-sdk.ts',
    ]),
  ),
  'simple-ascii-chart': 'src/cli/line-chart.ts',
  tar: 'src/store/embedded/backup.ts',
  yauzl: 'src/candles/files/input.ts',
}
const environmentReader = 'src/operate/settings/config.ts'

/** Whether a node reads `process.env`, or imports `env`. */
function readsEnvironment(node: Node): boolean {
  if (node.type === 'MemberExpression')
    return nameOf(node.object) === 'process' && nameOf(node.property) === 'env'
  if (node.type === 'VariableDeclarator') {
    const properties =
      isNode(node.id) && node.id.type === 'ObjectPattern' ? (node.id.properties as Node[]) : []
    return nameOf(node.init) === 'process' && properties.some(property => nameOf(property.key) === 'env')
  }
  if (node.type === 'ImportDeclaration' && /^(node:)?process$/.test(specifierOf(node) ?? '')) {
    return (node.specifiers as Node[]).some(specifier => nameOf(specifier.imported) === 'env')
  }
  return false
}

/** `src/markets/exchanges/ccxt/client.ts` is in the layer `exchanges`, `src/main.ts` in `main`. */
const layerOf = (path: string) => path.split('/')[1]?.replace(/\.[jt]s$/, '') ?? ''

const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** The forbidden imports of one file of src. */
function violations(file: SourceFile): readonly string[] {
  const { path } = file
  const found: string[] = []
  const layer = layerOf(path)
  const height = heights[layer]
  if (height === undefined) return [`${path} is in no layer`]
  if (path !== environmentReader && file.text.includes('env') && nodesOf(parse(file)).some(readsEnvironment))
    found.push(`${path} reads the environment`)
  for (const specifier of specifiersOf(file)) {
    if (!specifier.startsWith('.')) {
      const importer = importers[packageOf(specifier)]
      if (importer && importer !== path)
        found.push(`${path} imports ${specifier}, which only ${importer} may import`)
      continue
    }
    const target = targetOf(path, specifier)
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

/**
 * The folders and files of `src/compute` in their order: each imports only from earlier ones. A program reads from the
 * language of expressions and the WASM module up to the executor. The executor alone decides where an answer is
 * computed.
 */
const computeOrder = [
  'expressions',
  'pine',
  'wasm',
  'json',
  'plans',
  'kernels',
  'results',
  'costs',
  'answer',
  'bulk-layout',
  'supplied',
  'library',
  'tables',
  'task',
  'ranges',
  'catch-up',
  'workers',
  'executor',
]

/** The forbidden imports within `src/compute` of one of its files. */
function computeViolations(file: SourceFile): readonly string[] {
  const partOf = (path: string) => path.split('/')[2]?.replace(/\.[jt]s$/, '') ?? ''
  const height = computeOrder.indexOf(partOf(file.path))
  if (height < 0) return [`${file.path} is in no part of compute`]
  return specifiersOf(file)
    .filter(specifier => specifier.startsWith('.'))
    .map(specifier => targetOf(file.path, specifier))
    .filter(target => target.startsWith('src/compute/') && computeOrder.indexOf(partOf(target)) > height)
    .map(target => `${file.path} imports ${target}, which is above it`)
}

/** The folders of the page by height. The other files there put the page together. */
const pageHeights: Readonly<Record<string, number>> = {
  main: 5,
  help: 4,
  app: 4,
  painter: 4,
  'chart-input': 4,
  'study-edits': 4,
  tools: 4,
  controls: 3,
  chart: 2,
  model: 1,
  service: 1,
  view: 0,
}
/** The packages that a browser loads, each by the folder that may import it. */
const pagePackages: Readonly<Record<string, string>> = { 'lightweight-charts': 'chart', minisearch: 'help' }
/**
 * Modules of the service that the page may import: code that a browser can run, types, and the list of absent
 * indicators.
 */
const sharedWithPage = [
  'docs/absent-indicators.json',
  'src/candles/age.js',
  'src/candles/timeframe.js',
  'src/catalogue/description.js',
  'src/catalogue/ranking.js',
  'src/catalogue/shape.js',
  'src/candles/format-count.js',
]

/** The forbidden imports of one file of the page. */
function pageViolations(file: SourceFile): readonly string[] {
  const { path } = file
  const height = pageHeights[layerOf(path)]
  if (height === undefined) return [`${path} is in no folder of the page`]
  const found: string[] = []
  for (const specifier of specifiersOf(file)) {
    if (specifier.endsWith('.css')) continue
    if (!specifier.startsWith('.')) {
      if (pagePackages[specifier] !== layerOf(path)) found.push(`${path} imports ${specifier}`)
      continue
    }
    const target = targetOf(path, specifier)
    if (sharedWithPage.includes(target)) continue
    const other = target.startsWith('page/') ? pageHeights[layerOf(target)] : undefined
    if (other === undefined) found.push(`${path} imports ${target}, which is not of the page`)
    else if (other > height) found.push(`${path} imports ${target}, which is above it`)
  }
  return found
}

/** The folders of the assembly by height. */
const assemblyHeights: Readonly<Record<string, number>> = {
  'average-types': 8,
  kernels: 7,
  'parts/chart': 6,
  'parts/shared': 5,
  'parts/swings': 5,
  'parts/averages': 4,
  'parts/candles': 3,
  'parts/windows': 2,
  'parts/numbers': 1,
  expression: 1,
  json: 1,
  frame: 0,
  memory: 0,
}
/**
 * The only file above the kernels that a kernel may import. It contains the averages between which the caller of an
 * indicator chooses.
 */
const chosenAverage = 'assembly/average-types/average'

/** `assembly/parts/windows/sums` is in the folder `parts/windows`, `assembly/frame` in `frame`. */
function assemblyFolderOf(path: string): string {
  const [, top, second] = path.replace(/\.ts$/, '').split('/')
  return top === 'parts' ? `parts/${second}` : (top ?? '')
}

/** The forbidden imports of one file of the assembly. */
function assemblyViolations(file: SourceFile): readonly string[] {
  const { path } = file
  const folder = assemblyFolderOf(path)
  const height = assemblyHeights[folder]
  if (height === undefined) return [`${path} is in no folder of the assembly`]
  const found: string[] = []
  for (const specifier of specifiersOf(file)) {
    const target = specifier.startsWith('.') ? targetOf(path, specifier) : specifier
    if (!target.startsWith('assembly/')) {
      found.push(`${path} imports ${target}, which is outside the assembly`)
      continue
    }
    const other = assemblyFolderOf(target)
    const otherHeight = assemblyHeights[other] ?? Number.NaN
    const isAllowed =
      otherHeight < height || other === folder || (folder === 'kernels' && target === chosenAverage)
    if (!isAllowed) found.push(`${path} imports ${target}, which is not below it`)
  }
  return found
}

/** The other files that a file imports, values and types alike. */
function importedFiles(file: SourceFile, paths: ReadonlySet<string>): readonly string[] {
  const targets = specifiersOf(file)
    .filter(specifier => specifier.startsWith('.'))
    .flatMap(specifier => filesOf(targetOf(file.path, specifier)))
  return [...new Set(targets)].filter(target => paths.has(target))
}

/** Import cycles among files, such as `a.ts → b.ts → a.ts`; type imports count. */
function cycles(files: readonly SourceFile[]): readonly string[] {
  const paths = new Set(files.map(({ path }) => path))
  const imports = new Map(files.map(file => [file.path, importedFiles(file, paths)]))
  const found: string[] = []
  const finished = new Set<string>()
  const visit = (path: string, chain: readonly string[]) => {
    if (chain.includes(path)) {
      found.push([...chain.slice(chain.indexOf(path)), path].join(' → '))
      return
    }
    if (finished.has(path)) return
    for (const imported of imports.get(path) ?? []) visit(imported, [...chain, path])
    finished.add(path)
  }
  for (const path of paths) visit(path, [])
  return found
}

describe('the layers', () => {
  it('import downwards only, and reserved packages from one file only', () => {
    expect(sourceFiles('src').flatMap(violations)).toEqual([])
  })

  it('of compute import downwards only', () => {
    expect(sourceFiles('src/compute').flatMap(computeViolations)).toEqual([])
    const refused: readonly (readonly [path: string, text: string])[] = [
      ['src/compute/json/sink.ts', "import { Calculator } from '../kernels/calculator.js'"],
      ['src/compute/expressions/plan.ts', "import { PlanRunner } from '../plans/plan-runner.js'"],
      ['src/compute/answer.ts', "import { Executor } from './executor.js'"],
      ['src/compute/gadgets/lamp.ts', ''],
    ]
    for (const [path, text] of refused) expect(computeViolations({ path, text })).toHaveLength(1)
  })

  it('of the page import downwards only, and of the service what a browser can run', () => {
    expect(sourceFiles('page').flatMap(pageViolations)).toEqual([])
    const refused: readonly (readonly [path: string, text: string])[] = [
      ['page/model/rows.ts', "import { h } from '../controls/dom.js'"],
      ['page/view/view.ts', "import { log } from '../../src/runtime/log.js'"],
      ['page/controls/dom.ts', "import { createChart } from 'lightweight-charts'"],
      ['page/gadgets/lamp.ts', ''],
    ]
    for (const [path, text] of refused) expect(pageViolations({ path, text }), path).toHaveLength(1)
  })

  it('rest on an assembly that imports downwards only, and nothing outside itself', () => {
    expect(sourceFiles('assembly').flatMap(assemblyViolations)).toEqual([])
  })

  it('name files and folders that exist', () => {
    const paths = [...Object.values(importers), environmentReader]
    expect(paths.filter(path => !existsSync(join(root, path)))).toEqual([])
    const isThere = (layer: string) =>
      existsSync(join(root, 'src', layer)) || existsSync(join(root, 'src', `${layer}.ts`))
    expect(Object.keys(heights).filter(layer => !isThere(layer))).toEqual([])
  })

  const onlyIn = (name: string) => `which only ${importers[name]} may import`
  const refused: readonly (readonly [path: string, text: string, violation: string])[] = [
    [
      'src/candles/series.ts',
      "import { loadServe } from '../http/drivers/uws.js'",
      'src/http/drivers/uws.js, which is above it',
    ],
    [
      'src/http/routes.ts',
      "import type { Hub } from '../live/hub.js'",
      'src/live/hub.js, which is beside it',
    ],
    [
      'src/markets/exchanges/registry.ts',
      "export { answer } from '../../compute/answer.js'",
      'src/compute/answer.js, which is beside it',
    ],
    ['src/contract/bulk.ts', "export * from '../http/routes.js'", 'src/http/routes.js, which is above it'],
    [
      'src/catalogue/index.ts',
      "const series = await import('../candles/series.js')",
      'src/candles/series.js, which is beside it',
    ],
    [
      'src/candles/candle.ts',
      'const routes = import(`../http/routes.js`)',
      'src/http/routes.js, which is above it',
    ],
    [
      'src/contract/query.ts',
      "type Reply = import('../http/routes.js').Reply",
      'src/http/routes.js, which is above it',
    ],
    [
      'src/http/routes.ts',
      "import { config } from '../operate/settings/config.js'",
      'src/operate/settings/config.js, which is above it',
    ],
    [
      'src/compute/executor.ts',
      "import { port } from '../operate/settings/config.js'",
      'src/operate/settings/config.js, which is above it',
    ],
    ['src/http/drivers/uws.ts', "import '../../main.js'", 'src/main.js, which is above it'],
    [
      'src/catalogue/trend/ribbons.ts',
      "import { law } from '../../../test/support/laws/law.js'",
      'test/support/laws/law.js, which is in no layer',
    ],
    ['src/gadgets/lamp.ts', '', 'src/gadgets/lamp.ts is in no layer'],
    ['src/live/session.ts', "import type { WebSocket } from 'uWebSockets.js'", onlyIn('uWebSockets.js')],
    ['src/markets/history/history.ts', "import binance from 'ccxt/js/src/binance.js'", onlyIn('ccxt')],
    [
      'src/compute/workers/worker.ts',
      "import { instantiate } from '@assemblyscript/loader'",
      onlyIn('@assemblyscript/loader'),
    ],
    ['src/contract/storage/stores.ts', "import lmdb = require('lmdb')", onlyIn('lmdb')],
    ['src/compute/executor.ts', "const { Piscina } = require('piscina')", onlyIn('piscina')],
    ['src/runtime/log.ts', 'const level = process.env.LEVEL', 'src/runtime/log.ts reads the environment'],
    ['src/runtime/log.ts', "const level = process['env'].LEVEL", 'src/runtime/log.ts reads the environment'],
    ['src/main.ts', 'const { env } = process', 'src/main.ts reads the environment'],
    ['src/cli/keys.ts', "import { env } from 'node:process'", 'src/cli/keys.ts reads the environment'],
  ]
  for (const [path, text, violation] of refused) {
    it(`refuse in ${path}: ${text || 'a folder that is no layer'}`, () => {
      expect(violations({ path, text })).toEqual([expect.stringContaining(violation)])
    })
  }

  it('are tried with examples between files that exist', () => {
    const named = refused
      .filter(([, text]) => text !== '')
      .flatMap(([path, text]) => {
        const relative = specifiersOf({ path, text }).filter(specifier => specifier.startsWith('.'))
        return [path, ...relative.map(specifier => targetOf(path, specifier))]
      })
    const isThere = (target: string) => filesOf(target).some(path => existsSync(join(root, path)))
    expect(named.filter(target => !isThere(target))).toEqual([])
  })

  it('allow imports of lower layers and of their own', () => {
    const text = `
      import type { Kernels } from '../../build/kernels.js'
      import { rsi } from '../catalogue/index.js'
      import { calculator } from './calculator.js'
      import { join } from 'node:path'
      // import { routes } from '../http/routes.js'
      const sentence = "import { routes } from '../http/routes.js'"
    `
    expect(violations({ path: 'src/compute/answer.ts', text })).toEqual([])
    expect(
      violations({
        path: 'src/main.ts',
        text: "import { log } from './runtime/log.js'\nimport('./cli/serve.js')",
      }),
    ).toEqual([])
    expect(
      violations({ path: 'src/operate/settings/config.ts', text: 'export const port = process.env.PORT' }),
    ).toEqual([])
  })

  it('refuse an assembly that imports from elsewhere, upwards or from beside', () => {
    const path = 'assembly/kernels/trend/ema.ts'
    const allowed = ['../../frame', '../../parts/shared/rsi', '../../average-types/average', './dema']
    for (const specifier of allowed)
      expect(assemblyViolations({ path, text: `import { x } from '${specifier}'\n` })).toEqual([])
    const refusedInKernels = ['../../../src/catalogue/index', 'wasi', '../../average-types/named-average']
    for (const specifier of refusedInKernels)
      expect(assemblyViolations({ path, text: `import { x } from '${specifier}'\n` })).toHaveLength(1)
    expect(assemblyViolations({ path, text: "import '../../../src/main'\n" })).toHaveLength(1)
    const part = 'assembly/parts/windows/sums.ts'
    for (const specifier of ['../../kernels/trend/ema', '../averages/hilbert', '../../average-types/average'])
      expect(assemblyViolations({ path: part, text: `import { x } from '${specifier}'\n` })).toHaveLength(1)
    expect(assemblyViolations({ path: 'assembly/gadgets/lamp.ts', text: '' })).toHaveLength(1)
  })
})

describe('imports', () => {
  it('have no cycle', () => {
    expect(
      ['src', 'interface', 'assembly', 'page', 'bench', 'test', 'scripts'].flatMap(folder =>
        cycles(sourceFiles(folder)),
      ),
    ).toEqual([])
  })

  it('are refused where they lead back, type imports and files of one folder included', () => {
    const files = [
      { path: 'src/live/hub.ts', text: "import { Session } from './session.js'" },
      { path: 'src/live/session.ts', text: "export { topic } from './topic.js'\nimport './protocol.js'" },
      { path: 'src/live/topic.ts', text: "import type { Hub } from './hub.js'" },
      { path: 'src/live/protocol.ts', text: '' },
    ]
    const cycle = 'src/live/hub.ts → src/live/session.ts → src/live/topic.ts → src/live/hub.ts'
    expect(cycles(files)).toEqual([cycle])
    expect(cycles(files.filter(({ path }) => path !== 'src/live/topic.ts'))).toEqual([])
  })

  it('are refused in the assembly, whose imports have no ending', () => {
    const files = [
      { path: 'assembly/parts/windows/sums.ts', text: "import { Frame } from '../../frame'" },
      {
        path: 'assembly/frame.ts',
        text: "import { sum } from './parts/windows/sums'\n@inline\nfunction f(): void {}",
      },
    ]
    expect(cycles(files)).toEqual([
      'assembly/parts/windows/sums.ts → assembly/frame.ts → assembly/parts/windows/sums.ts',
    ])
  })
})

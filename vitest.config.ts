import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { groups } from './test/groups.mjs'

/** The files that take longest, the longest first. They begin before the others, so that none of them ends alone. */
const longest = [
  'page/page',
  'service/nodes',
  'service/faults',
  'unit/markets/exchanges/response-body',
  'unit/alerts/alerts',
  'contracts/stocks',
  'docs/commands',
  'service/streaming',
  'service/past',
  'service/stocks',
  'service/shared-store',
  'unit/store/redis-key-value-store',
  'laws/release',
  'service/screen',
  'unit/store/redis-store',
  'service/migrate',
  'service/bulk',
  'page/drawing-tools',
  'page/older',
  'service/conversation',
  'unit/store/cluster-nodes',
  'service/indicator',
  'service/mcp',
  'service/alert-kills',
  'service/killed-commands',
  'service/session',
  'service/catalogue',
  'contracts/server',
  'service/processes',
  'contracts/key-value-store',
  'service/start',
  'service/rush',
  'service/crash',
  'service/drain',
  'service/alerts',
  'unit/compute/executor',
  'faults/machine',
  'faults/clients',
  'fuzz/fuzz',
]

/** Use in a test file of what its process must not have loaded before, or of measurements of the process itself. */
const needsOwnProcess =
  /\bvi\.(mock|doMock|hoisted|resetModules)\b|\bprocess\.(cpuUsage|memoryUsage|setSourceMapsEnabled)\b|\bsetFlagsFromString\b|\bEventLoopDelay\b|'node:(cluster|inspector|v8|vm)'|support\/memory\.js'/

/** Use of what outlives a test file in its process: timers that are replaced, settings, connections to exchanges of the test. */
const outlives =
  /\buseFakeTimers\b|\bprocess\.(on|once|kill)\b|\bprocess\.env\S* =|\bglobalThis\.\w+ =|support\/(binance|drivers|exchange-thread|kraken|store-drivers)\.js'/

/** Folders of files of which most can share a process. */
const sharingFolders = /^test\/(docs|page|patterns|service|unit|vectors)\//

const root = fileURLToPath(new URL('.', import.meta.url))

const shareable = readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
  .map(path => `test/${path}`)
  .filter(path => path.endsWith('.test.ts') && !path.startsWith('test/laws/'))
  .filter(path => !needsOwnProcess.test(readFileSync(root + path, 'utf8')))

/** The longest files. They share processes with each other. */
const long = shareable.filter(path => longest.some(name => path === `test/${name}.test.ts`))

/**
 * Files that leave nothing behind in their process. Most of them take less time than the start of a process and the loading of
 * the source, so that a process runs many of them, one after the other.
 */
const quiet = shareable.filter(
  path =>
    !long.includes(path) && sharingFolders.test(path) && !outlives.test(readFileSync(root + path, 'utf8')),
)
const isQuiet = new Set(quiet.map(path => root + path))

/** The longest files first; last, and together, those that leave nothing behind. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex(name => moduleId.endsWith(`/test/${name}.test.ts`))
      return place >= 0 ? place : longest.length + (isQuiet.has(moduleId) ? 1 : 0)
    }
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'own process',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...long, ...quiet],
        },
      },
      {
        extends: true,
        test: {
          name: 'long, shared process',
          include: long,
          isolate: false,
          setupFiles: ['./test/support/shared-process.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'shared process',
          include: quiet,
          isolate: false,
          setupFiles: ['./test/support/shared-process.ts'],
        },
      },
    ],
    // Native addons and WASM memories live in a process each.
    pool: 'forks',
    // Both projects need the same modules: what one has transformed, the other one reads. It saves 6 % of the processor time of a first run.
    experimental: { fsModuleCache: true },
    // Many files wait more than they compute: six of them keep a machine of two cores busy.
    maxWorkers: 6,
    // The built program is loaded as it is.
    server: { deps: { external: [/\/dist\//] } },
    tags: Object.entries(groups).map(([name, { description }]) => ({ name, description })),
    reporters: ['default', './test/support/skipped-tests.ts'],
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is waited for may take longer than vitest's second on a busy machine.
    expect: { poll: { timeout: 10_000 } },
  },
})

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
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

/**
 * Use in a test file of what its process must not have loaded before, of measurements of the process itself, or of the number of
 * its timers.
 */
const needsOwnProcess =
  /\bvi\.(mock|doMock|hoisted|resetModules)\b|\bprocess\.(cpuUsage|memoryUsage|setSourceMapsEnabled)\b|\bsetFlagsFromString\b|\bEventLoopDelay\b|'node:(cluster|inspector|v8|vm)'|support\/memory\.js'|\bgetTimerCount\b/

const root = fileURLToPath(new URL('.', import.meta.url))

/** All others share a few processes, one file after the other. */
const sharing = readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
  .map(path => `test/${path}`)
  .filter(path => path.endsWith('.test.ts') && !needsOwnProcess.test(readFileSync(root + path, 'utf8')))

/** The newest change of a folder, in milliseconds. */
const changeOf = (folder: string) =>
  Math.max(
    ...readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map(
      path => statSync(`${root}${folder}/${path}`).mtimeMs,
    ),
  )
/** Whether `npm run build` has compiled the present source. */
const isBuilt =
  existsSync(`${root}dist/.service`) && statSync(`${root}dist/.service`).mtimeMs >= changeOf('src')

/**
 * Files with their own process first, then those that share processes, the longest first. A process that files share ends where a
 * file with its own process comes next.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId, project }: TestSpecification) => {
      const place = longest.findIndex(name => moduleId.endsWith(`/test/${name}.test.ts`))
      return (project.config.isolate ? 0 : longest.length + 1) + (place >= 0 ? place : longest.length)
    }
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
  }
}

/**
 * Collections of garbage and compilations in threads took a third of the processor time of these processes, which run most of
 * their code a few times. Later versions of Node lack the last flag. `service-process.ts` gives the same to services.
 */
const execArgv = [
  ...['--initial-heap-size=512', '--min-semi-space-size=64', '--max-semi-space-size=64'],
  ...(process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : []),
]

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'own process',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...sharing],
        },
      },
      {
        extends: true,
        // Node loads the modules that the build has made of the source, which saves transforming them.
        resolve: {
          alias: isBuilt ? [{ find: /^(?:\.\.\/)+src\/(.*\.js)$/, replacement: `${root}dist/$1` }] : [],
        },
        test: {
          name: 'shared process',
          include: sharing,
          isolate: false,
          setupFiles: ['./test/support/shared-process.ts'],
        },
      },
    ],
    // Native addons and WASM memories live in a process each.
    pool: 'forks',
    execArgv,
    globalSetup: './test/support/temporary-folder.ts',
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

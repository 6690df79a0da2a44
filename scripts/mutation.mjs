// Mutation testing: `npm run test:mutation` takes all areas of test/mutation/areas.json, `npm run test:mutation -- history`
// one of them and `npm run test:mutation -- src/contract/query.ts` one file or folder. `--tests a.test.ts,b.test.ts` runs
// these tests instead of the area's. Writes build/mutation/<area>.html.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * The folder of each area, and the tests that run against its mutants: its tests that run in one process. A service that a
 * test starts as a program is not mutated.
 */
const areas = JSON.parse(readFileSync(new URL('../test/mutation/areas.json', import.meta.url), 'utf8'))

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'test', 'mutation')
const modules = join(folder, 'node_modules')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '2' }, tests: { type: 'string', default: '' } },
})

function fail(message) {
  console.error(message)
  process.exit(2)
}
if (!/^[1-9]\d?$/.test(values.concurrency)) fail(`--concurrency must be 1 to 99, got ${values.concurrency}`)

/** The target of a word of the command line: an area, a folder or a file. */
function runOf(word) {
  if (Object.hasOwn(areas, word)) return { area: word, mutate: `${areas[word].folder}/**/*.ts` }
  const path = word.replace(/^\.\//, '').replace(/\/$/, '')
  const area = Object.keys(areas).find(name => `${path}/`.startsWith(`${areas[name].folder}/`))
  if (area === undefined || !existsSync(join(root, path)))
    return fail(`"${word}" is neither an area (${Object.keys(areas).join(', ')}) nor a file in one`)
  return { area, mutate: statSync(join(root, path)).isDirectory() ? `${path}/**/*.ts` : path }
}
const runs = (positionals.length === 0 ? Object.keys(areas) : positionals).map(runOf)

const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
const stamp = join(modules, '.candela')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.error('candela: installing Stryker …')
  const { status } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    },
  )
  if (status !== 0) process.exit(1)
  writeFileSync(stamp, lock)
}

let failed = false
for (const { area, mutate } of runs) {
  console.log(`${area}: ${mutate}`)
  const { status } = spawnSync(
    process.execPath,
    [
      join(modules, '@stryker-mutator', 'core', 'bin', 'stryker.js'),
      'run',
      join('test', 'mutation', 'stryker.config.mjs'),
      '--mutate',
      mutate,
      '--concurrency',
      values.concurrency,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, MUTATION_AREA: area, MUTATION_TESTS: values.tests },
    },
  )
  failed ||= status !== 0
}
process.exit(failed ? 1 : 0)

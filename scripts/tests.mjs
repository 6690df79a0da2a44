// Runs tests: `node scripts/tests.mjs` those of `npm test`, `node scripts/tests.mjs all` all tests, and `node scripts/tests.mjs
// changed` the groups of test/groups.mjs that the last change may affect. Further arguments are for Vitest.
import { execFileSync, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { groups, groupsOf, testsOf, usualTests } from '../test/groups.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const words = process.argv.slice(2)
const extent = ['all', 'changed'].includes(words[0]) ? words.shift() : 'usual'

/** The lines that git prints; undefined if it fails. */
function git(...args) {
  try {
    const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
    return execFileSync('git', args, options)
      .split('\n')
      .filter(line => line !== '')
  } catch {
    return undefined
  }
}

/**
 * The paths that differ from the commit in SINCE. By default, that is the commit at which this branch left `origin/HEAD`, or the
 * commit before this one. Undefined if git does not know the commit.
 */
function changedPaths() {
  const [head] = git('rev-parse', 'HEAD') ?? []
  const [base] = git('merge-base', 'HEAD', 'origin/HEAD') ?? []
  const since = process.env.SINCE ?? (base === undefined || base === head ? 'HEAD~1' : base)
  const tracked = git('diff', '--name-only', since)
  return tracked && [...tracked, ...(git('ls-files', '--others', '--exclude-standard') ?? [])]
}

/** Arguments of Vitest that select the tests; undefined where there are none. */
function selection() {
  if (extent === 'usual') return [usualTests]
  if (extent === 'all') return []
  const paths = changedPaths()
  const names = paths === undefined ? Object.keys(groups) : groupsOf(paths)
  console.log(
    paths === undefined
      ? 'git knows no earlier commit: all groups of tests run'
      : `groups of tests after ${paths.length} changed files: ${names.join(', ') || 'none'}`,
  )
  return names.length === 0 ? undefined : testsOf(names)
}

const selected = selection()
if (selected !== undefined) {
  const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
  const child = spawn(process.execPath, [vitest, 'run', ...selected, ...words], {
    cwd: root,
    stdio: 'inherit',
  })
  child.on('exit', (code, signal) => {
    process.exitCode = signal === null ? code : 1
  })
}

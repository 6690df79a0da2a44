/**
 * Groups of tests that `npm test` leaves to `npm run test:all`. A test belongs to a group by its tag. `.ci/run` runs a group if
 * a changed path begins with one of `changes`; its tests are in the files whose paths begin with one of `tests`. `npm test` has
 * a shorter test of each promise.
 */
export const groups = {
  benches: {
    description: 'Each bench runs.',
    changes: ['bench/', 'scripts/setup.mjs'],
    tests: ['test/docs/benches'],
  },
  browser: {
    description:
      'Pictures of the page, all drawing tools, accessibility of each view, and the first hour at the page.',
    changes: ['examples/', 'page/', 'test/page/'],
    tests: [
      'test/examples',
      'test/page/drawing-tools',
      'test/page/older',
      'test/page/page',
      'test/page/pictures',
      'test/service/reference',
    ],
  },
  faults: {
    description:
      'Processes that are killed at each step, damaged files, full disks, clocks that jump, floods of requests, all of the store of several processes.',
    changes: [
      'src/alerts/',
      'src/candles/files/',
      'src/cli/',
      'src/contract/',
      'src/http/',
      'src/live/',
      'src/markets/',
      'src/operate/',
      'src/runtime/',
      'src/store/',
      'test/faults/',
    ],
    tests: [
      'test/contracts/accounts',
      'test/contracts/alerts',
      'test/faults/',
      'test/fuzz/',
      'test/service/alert-kills',
      'test/service/crash',
      'test/service/drain',
      'test/service/empty-tables',
      'test/service/faults',
      'test/service/ids',
      'test/service/keys',
      'test/service/killed-commands',
      'test/service/nodes',
      'test/service/open-files',
      'test/service/processes',
      'test/service/repair',
      'test/service/rush',
      'test/service/shared-store',
      'test/service/start',
      'test/service/streaming',
      'test/service/unwritable-logs',
      'test/soak/',
      'test/unit/cli/hostile-files',
      'test/unit/http/placement',
      'test/unit/markets/feeds/feed-order',
      'test/unit/store/shared-clock',
    ],
  },
  kernels: {
    description: 'The laws of all indicators with all parameters on all markets.',
    changes: [
      'asconfig.json',
      'assembly/',
      'src/candles/',
      'src/catalogue/',
      'src/compute/',
      'src/contract/',
      'src/live/',
      'test/laws/',
      'test/patterns/',
      'test/support/laws/',
      'test/vectors/',
    ],
    tests: [
      'test/laws/',
      'test/patterns/no-repaint',
      'test/service/bulk',
      'test/service/contract',
      'test/service/indicator',
      'test/service/updates',
      'test/unit/catalogue/kernel-names',
      'test/unit/compute/expressions/expression-laws',
      'test/unit/compute/expressions/long-histories',
      'test/vectors/definitions',
    ],
  },
  packages: {
    description:
      'The packed service and client, the built documents, types of the examples, steps of a new indicator, what the build reads from ccxt.',
    changes: [
      'asconfig.json',
      'docs/add-an-indicator.md',
      'examples/',
      'interface/',
      'package.json',
      'scripts/',
      'src/catalogue/',
      'src/client/',
      'src/markets/exchanges/ccxt/',
    ],
    tests: [
      'test/add-an-indicator',
      'test/docs/deploy',
      'test/docs/kernels',
      'test/examples',
      'test/service/client-package',
      'test/service/files',
      'test/service/package',
      'test/unit/markets/exchanges/coverage',
    ],
  },
}

/** Changes that concern each group. */
const common = ['package-lock.json', 'test/groups.mjs', 'vitest.config.ts']

/** Names of the groups to run after changes of these paths. */
export const groupsOf = paths =>
  Object.keys(groups).filter(name =>
    paths.some(path =>
      [...groups[name].changes, ...groups[name].tests, ...common].some(start => path.startsWith(start)),
    ),
  )

/** Arguments of Vitest for the tests of groups. */
export const testsOf = names => [
  `--tags-filter=${names.join(' || ')}`,
  ...names.flatMap(name => groups[name].tests),
]

/** Argument of Vitest for the tests of `npm test`. */
export const usualTests = `--tags-filter=!(${Object.keys(groups).join(' || ')})`

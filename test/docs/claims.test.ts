import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { usualTuning } from '../../src/operate/parts.js'
import { settings } from '../../src/operate/settings/config.js'
import { documentAt, root } from '../support/documents.js'
import { sourceFiles } from '../support/source-code.js'

const files = sourceFiles('src')

/** The numbers of all constants with this name below a folder of `src`, such as 2000 for `const pauseMs = 2 * 1_000`. */
function constantsOf(name: string, folder: string): readonly number[] {
  const form = new RegExp(`^(?:export )?const ${name} = ([\\d_.]+(?: \\* [\\d_.]+)*)$`, 'm')
  return files
    .filter(({ path }) => path.startsWith(`src/${folder}`))
    .flatMap(({ text }) => form.exec(text)?.[1] ?? [])
    .map(text =>
      text
        .replaceAll('_', '')
        .split('*')
        .map(Number)
        .reduce((product, factor) => product * factor),
    )
}

/** The only constant with this name below a folder. */
function constant(name: string, folder = ''): number {
  const found = constantsOf(name, folder)
  expect(found, `the constant ${name} below src/${folder}`).toHaveLength(1)
  return found[0] as number
}

/** The number of the default of a setting; sizes are in MiB. */
const setting = (name: string) => Number.parseInt(`${settings.find(each => each.name === name)?.default}`, 10)
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const MiB = 1024 * 1024

/** Numbers in documents: the document, its words, the number, and the number in the code. */
const claims: readonly (readonly [path: string, words: string, claimed: number, actual: () => number])[] = [
  ['docs/alerts.md', 'a receiver has 10 seconds per attempt', 10_000, () => constant('webhookTimeoutMs')],
  ['docs/alerts.md', 'then twice as long, up to a minute', 60_000, () => constant('maxBackoffMs', 'alerts')],
  ['docs/alerts.md', 'nothing arrives within 30 seconds', 30_000, () => constant('acknowledgementMs')],
  [
    'docs/alerts.md',
    'takes over within 11 seconds',
    11_000,
    () => constant('alertLeaseMs') + constant('renewMs', 'alerts'),
  ],
  [
    'docs/alerts.md',
    'fires nothing after half a minute',
    30_000,
    () => constant('renewMs', 'alerts') * constant('renewalsPerCheck'),
  ],
  ['docs/alerts.md', 'may use 64 MiB of memory', 64 * MiB, () => constant('maxExpressionBytes')],
  ['docs/client.md', 'grows to 15 seconds', 15_000, () => constant('maxPauseMs', 'client')],
  [
    'docs/client.md',
    'silent for 45 seconds',
    45_000,
    () => constant('silenceMs', 'client') + constant('replyMs', 'client'),
  ],
  ['docs/deploying.md', 'reads both files every ten seconds', 10_000, () => constant('lookMs')],
  ['docs/deploying.md', '`SHUTDOWN_SECONDS` (10)', 10, () => setting('SHUTDOWN_SECONDS')],
  [
    'docs/deploying.md',
    '`DRAIN_SECONDS` + `SHUTDOWN_SECONDS` + 6 seconds',
    6,
    () => constant('lastRequestsSeconds') + constant('closeGraceMs', 'operate') / 1000,
  ],
  ['docs/keys.md', 'takes effect within half a second', 500, () => constant('cacheMs', 'http')],
  [
    'docs/keys.md',
    'with code 4403 within 2.5 seconds',
    2_500,
    () => constant('sweepMs', 'live') * constant('sweepsPerRecheck') + constant('cacheMs', 'http'),
  ],
  ['docs/keys.md', 'in a window of 15 seconds', 15, () => constant('rateWindowSeconds')],
  ['docs/keys.md', 'may use 64 MiB on a node', 64 * MiB, () => constant('maxExpressionBytes')],
  ['docs/keys.md', 'at least 92 days', 92, () => constant('usageDays')],
  ['docs/keys.md', 'stored every ten seconds', 10_000, () => constant('storeMs', 'http')],
  ['docs/keys.md', 'at most ten keys', 10, () => constant('maxKeys', 'contract')],
  ['docs/keys.md', '(24 hours by default', 86_400, () => constant('usualOverlapSeconds')],
  ['docs/markets.md', 'fetched every 15 seconds', 15, () => constant('freshSeconds', 'markets')],
  ['docs/markets.md', 'polled at most once a minute', 60, () => constant('freshSecondsOfTimes')],
  ['docs/requests.md', 'up to 20 indicators on each', 20, () => constant('maxIndicators', 'contract')],
  ['docs/requests.md', 'of up to 20 markets', 20, () => constant('maxConstructs', 'contract')],
  ['docs/requests.md', 'larger than 4 MiB', 4 * MiB, () => constant('maxBodyBytes', 'contract')],
  ['docs/requests.md', 'up to 500, oldest first', 500, () => constant('maxSuppliedCandles')],
  [
    'docs/scaling.md',
    'hangs for 30 seconds',
    30_000,
    () => constant('beatMs') * constant('maxUnansweredBeats'),
  ],
  ['docs/scaling.md', 'milliseconds per command (250)', 250, () => constant('defaultTimeoutMs', 'store')],
  [
    'docs/scaling.md',
    'stop counting after six seconds',
    6_000,
    () => constant('nodeTtlMs') + constant('heartbeatMs'),
  ],
  ['docs/scaling.md', 'ends after five seconds', 5_000, () => constant('startMs', 'store')],
  ['docs/screening.md', 'answered from memory for 30 seconds', 30, () => constant('keptSeconds')],
  ['docs/screening.md', 'at most every ten minutes', 600_000, () => constant('rankingFreshMs')],
  ['docs/screening.md', 'comes at most every second', 1_000, () => constant('intervalMs', 'screens')],
  ['docs/streaming.md', '`Bearer <key>`, within 10 seconds', 10, () => constant('authenticationSeconds')],
  ['docs/streaming.md', 'at most 4 updates a second', 4, () => usualTuning.formingPerSecond],
  ['docs/streaming.md', 'after 15 seconds', 15, () => constant('maxUnreadSeconds')],
  ['docs/streaming.md', 'more than 1 MiB waits', 1, () => setting('STREAM_MAX_BACKPRESSURE')],
  ['docs/troubleshooting.md', 'At most ten a minute', 10, () => constant('maxLines', 'operate')],
  ['docs/values.md', 'at most 100,000 candles', 100_000, () => constant('maxRangeCandles')],
  ['docs/values.md', '2,000 times per market', 2_000, () => constant('maxStored')],
  ['docs/values.md', 'at most 8,192 over the candles', 8_192, () => constant('maxBarsOfCandle')],
  ['docs/values.md', 'more than 10 million', 10_000_000, () => constant('maxBarsBefore')],
  ['docs/values.md', '(30 by default)', 30, () => setting('CORRECTIONS_DAYS')],
]

/** Versions in documents: the document, its words, and the file whose words set the version. */
const versions: readonly (readonly [path: string, words: string, file: string, source: string])[] = [
  ['README.md', 'Node 20.19, 22.2 or later', 'package.json', '"node": "^20.19.0 || >=22.2.0"'],
  ['README.md', '(Node 20.19, 22.12 or later)', 'scripts/setup.mjs', 'major === 22 && minor < 12'],
  [
    'CONTRIBUTING.md',
    'Node 20.19 or later, or 22.12 or later',
    'scripts/setup.mjs',
    'major === 22 && minor < 12',
  ],
  ['docs/python.md', 'for Python 3.10 and later', 'python/pyproject.toml', 'requires-python = ">=3.10"'],
  ['python/README.md', 'Python 3.10 and later', 'python/pyproject.toml', 'requires-python = ">=3.10"'],
  ['docs/deploying.md', 'on Node 20 or 22', 'test/support/drivers.ts', '/^v2[02]\\./'],
  ['docs/deploying.md', 'The image has Node.js 22', 'Dockerfile', 'NODE_IMAGE=node:22-'],
  [
    'docs/deploying.md',
    '20 are set in `deploy/candela.service`',
    'deploy/candela.service',
    'TimeoutStopSec=20',
  ],
  ['docs/deploying.md', 'and the Compose files', 'compose.yaml', 'stop_grace_period: 20s'],
]

const plain = (text: string) => text.replaceAll(/\s+/g, ' ')

describe('numbers of documents', () => {
  it.each(claims)('%s: %s', (path, words, claimed, actual) => {
    expect(plain(documentAt(path).text)).toContain(words)
    expect(actual()).toBe(claimed)
  })

  it.each(versions)('%s: %s', (path, words, file, source) => {
    expect(plain(documentAt(path).text)).toContain(words)
    expect(read(file)).toContain(source)
  })

  it('are compared with the constants of the code', () => {
    expect(constant('acknowledgementMs', 'alerts')).toBe(30_000)
    expect(constantsOf('acknowledgementMs', 'http')).toEqual([])
    expect(() => constant('maxBackoffMs'), 'a name of several constants').toThrow()
  })
})

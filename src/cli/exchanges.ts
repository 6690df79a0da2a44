import type { Command } from 'commander'
import { configure } from '../config/config.js'
import { type Coverage, readCoverage } from '../exchanges/ccxt/coverage.js'
import { ExchangeRegistry } from '../exchanges/registry.js'
import { type CommonOptions, runCommand } from './failure.js'
import { showStatus } from './progress.js'
import { formatTable } from './table.js'

interface Options extends CommonOptions {
  readonly check?: true
}

/** `candela exchanges`: lists the exchanges, and on request what ccxt knows about each. */
export const addExchanges = (program: Command): void => {
  program
    .command('exchanges')
    .description('list the exchanges')
    .option('--check', 'show what ccxt knows about the candles of each exchange, without sending any request')
    .option('--json', 'as JSON')
    .action((options: Options) => runCommand(() => run(options), options))
}

async function run({ check, json }: Options): Promise<void> {
  const hideStatus = check
    ? showStatus('reading what ccxt knows about its exchanges …', json ? { json } : {})
    : () => {}
  let found: readonly Coverage[] | readonly string[]
  try {
    found = check ? await readCoverage() : new ExchangeRegistry(configure()).ids()
  } finally {
    hideStatus()
  }
  if (json) console.log(JSON.stringify(found, null, 2))
  else console.log(check ? formatCoverage(found as readonly Coverage[]) : found.join('\n'))
}

const formatCoverage = (coverage: readonly Coverage[]): string =>
  formatTable(
    ['EXCHANGE', 'NATIVE', 'RESAMPLED', 'LIVE', 'PAGE', 'REQUESTS/S', 'NOTES'],
    coverage.map(({ id, timeframes, live, pageSize, intervalMs, notes }) => {
      const origins = Object.entries(timeframes)
      return [
        id,
        origins.flatMap(([timeframe, origin]) => (origin === 'native' ? [timeframe] : [])).join(' '),
        origins
          .flatMap(([timeframe, origin]) => (origin && origin !== 'native' ? [`${timeframe}←${origin}`] : []))
          .join(' '),
        live,
        pageSize === null ? '?' : String(pageSize),
        String(Math.round(10_000 / intervalMs) / 10),
        notes.join('; '),
      ]
    }),
  )

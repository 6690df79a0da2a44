import type { Command } from 'commander'
import { type Coverage, readCoverage } from '../markets/exchanges/ccxt/exchange-list.js'
import { ExchangeRegistry } from '../markets/exchanges/registry.js'
import { configure } from '../operate/settings/config.js'
import { action, type CommonOptions } from './failure.js'
import { formatTable, printResult } from './output.js'

interface Options extends CommonOptions {
  readonly check?: true
}

/** `candela exchanges`: lists the exchanges, and on request the properties of each from ccxt. */
export const addExchanges = (program: Command): void => {
  program
    .command('exchanges')
    .description('list the exchanges')
    .option('--check', 'show what ccxt knows about the candles of each exchange, without sending any request')
    .option('--json', 'as JSON')
    .action(action((options: Options) => (options.check ? printCoverage(options) : printIds(options))))
}

function printIds(options: Options): void {
  const ids = new ExchangeRegistry(configure()).ids()
  printResult(ids, options, () => ids.join('\n'))
}

function printCoverage(options: Options): void {
  const coverage = readCoverage()
  printResult(coverage, options, () => formatCoverage(coverage))
}

const formatCoverage = (coverage: readonly Coverage[]): string =>
  formatTable(
    ['EXCHANGE', 'NATIVE', 'RESAMPLED', 'LIVE', 'PAGE', 'REQUESTS/S', 'DERIVATIVES', 'NOTES'],
    coverage.map(({ id, timeframes, live, pageSize, intervalMs, derivatives, notes }) => {
      const origins = Object.entries(timeframes)
      return [
        id,
        origins.flatMap(([timeframe, origin]) => (origin === 'native' ? [timeframe] : [])).join(' '),
        origins
          .flatMap(([timeframe, origin]) => (origin && origin !== 'native' ? [timeframe] : []))
          .join(' '),
        live,
        pageSize === null ? '?' : String(pageSize),
        String(Math.round(10_000 / intervalMs) / 10),
        derivatives.join(' '),
        notes.join('; '),
      ]
    }),
  )

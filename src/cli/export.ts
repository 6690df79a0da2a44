import { type Command, InvalidArgumentError } from 'commander'
import { countBefore } from '../candles/columns.js'
import type { Timeframe } from '../candles/timeframe.js'
import { configure } from '../config/config.js'
import { keyOf, type Market } from '../contract/market.js'
import { ExchangeRegistry } from '../exchanges/registry.js'
import { withArchive } from './archive.js'
import { parseTime } from './csv/time.js'
import { writeCsv, writeJson } from './csv/writer.js'
import { CommandFailure, type CommonOptions, runCommand } from './failure.js'
import { marketArguments, marketOf, nameOf } from './market.js'
import { writeText } from './text-output.js'

interface Options extends CommonOptions {
  readonly from?: number
  readonly to?: number
  readonly out?: string
}

/** `candela export`: candles of the archive as CSV. */
export const addExport = (program: Command): void => {
  const command = program
    .command('export')
    .description('write the stored candles of a market as CSV or JSON')
    .option('--from <time>', 'only candles that open at this time or later, such as 2024-01-31', parseBound)
    .option('--to <time>', 'only candles that open before this time', parseBound)
    .option('--out <file>', 'file to write, instead of standard output')
    .option('--json', 'a JSON array of candles, as GET /candles answers, instead of CSV')
    .action((exchange: string, symbol: string, timeframe: Timeframe, options: Options) =>
      runCommand(() => run(marketOf(exchange, symbol, timeframe), options), options),
    )
  for (const argument of marketArguments()) command.addArgument(argument)
}

function parseBound(text: string): number {
  const time = parseTime(text, { isDate: true })
  if (time !== undefined) return time
  throw new InvalidArgumentError(
    'Expected a time such as 2024-01-31, 2024-01-31T12:00:00 (UTC) or 1706659200.',
  )
}

const run = (market: Market, options: Options) =>
  withArchive(async archive => {
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, out, json } = options
    await archive.prepare(keyOf(market))
    const stored = archive.read(keyOf(market))
    if (stored === undefined) {
      if (new ExchangeRegistry(configure()).find(market.exchange)?.source.isComputed)
        throw new CommandFailure(
          `${market.exchange} computes its candles and stores none. A running service has them: GET /candles?exchange=${market.exchange}&symbol=${market.symbol}&timeframe=${market.timeframe}&results=max`,
        )
      throw new CommandFailure(
        `There are no stored candles of ${nameOf(market)}. To fetch them: candela backfill ${nameOf(market)} --depth 1000`,
      )
    }
    const { columns, closed } = stored
    const first = countBefore(columns, closed, from)
    const last = countBefore(columns, closed, to)
    const write = json ? writeJson : writeCsv
    await writeText(write(columns, first, Math.max(first, last)), out)
  }, options)

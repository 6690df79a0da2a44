import type { Command } from 'commander'
import type { Archive } from '../archive/archive.js'
import { type Columns, columnNames, countBefore } from '../candles/columns.js'
import { formatTime } from '../candles/format-time.js'
import { configure } from '../config/config.js'
import { keyOf, type Market } from '../contract/market.js'
import { ExchangeRegistry } from '../exchanges/registry.js'
import { addMarket, marketAction, nameOf } from './arguments.js'
import { CommandFailure, type CommonOptions } from './failure.js'
import { withArchive } from './open-store.js'
import { time } from './option-parsers.js'
import { writeText } from './output.js'

interface Options extends CommonOptions {
  readonly from?: number
  readonly to?: number
  readonly out?: string
}

/** `candela export`: candles of the archive as CSV. */
export const addExport = (program: Command): void => {
  addMarket(program.command('export'))
    .description('write the stored candles of a market as CSV or JSON')
    .option('--from <time>', 'only candles that open at this time or later, such as 2024-01-31', time)
    .option('--to <time>', 'only candles that open before this time', time)
    .option('--out <file>', 'file to write, instead of standard output')
    .option('--json', 'a JSON array of candles, as GET /candles answers, instead of CSV')
    .action(
      marketAction((market, options: Options) =>
        withArchive(archive => run(archive, market, options), options),
      ),
    )
}

async function run(archive: Archive, market: Market, options: Options): Promise<void> {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, out, json } = options
  const { exchange, symbol, timeframe } = market
  await archive.prepare(keyOf(market))
  const stored = archive.read(keyOf(market))
  if (stored === undefined) {
    if (new ExchangeRegistry(configure()).find(exchange)?.source.isComputed)
      throw new CommandFailure(
        `${exchange} computes its candles and stores none. A running service has them: GET /candles?exchange=${exchange}&symbol=${symbol}&timeframe=${timeframe}&results=max`,
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
}

/** The lines of a CSV file with candles `from` to `to` (exclusive), preceded by a header; times are Unix seconds. */
export function* writeCsv(columns: Columns, from: number, to: number): Generator<string> {
  yield `${columnNames.join(',')}\n`
  // JavaScript prints a number as the shortest text that reads back as the same number, so nothing is lost.
  for (let at = from; at < to; at++) yield `${columnNames.map(name => columns[name][at]).join(',')}\n`
}

/** Candles `from` to `to` (exclusive) as a JSON array, with one candle in each line. */
export function* writeJson(columns: Columns, from: number, to: number): Generator<string> {
  if (from >= to) yield '[]\n'
  for (let at = from; at < to; at++) {
    const candle = columns.read(at)
    const text = JSON.stringify({ ...candle, timestampHuman: formatTime(candle.timestamp) })
    yield `${at === from ? '[\n' : ',\n'}${text}${at === to - 1 ? '\n]\n' : ''}`
  }
}

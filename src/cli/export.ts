import type { Command } from 'commander'
import { type CandleBlock, columnNames } from '../candles/columns.js'
import { formatTime } from '../candles/format-time.js'
import { type Market, marketKey } from '../contract/market.js'
import type { Archive } from '../markets/archive/archive.js'

import { ExchangeRegistry } from '../markets/exchanges/registry.js'
import { blocksAsOf } from '../markets/history/as-of.js'
import { configure } from '../operate/settings/config.js'
import { addMarket, marketAction, nameOf } from './arguments.js'
import { CommandFailure, type CommonOptions, orFail } from './failure.js'
import { withArchive } from './open-store.js'
import { time } from './option-parsers.js'
import { writeText } from './output.js'

interface Options extends CommonOptions {
  readonly from?: number
  readonly to?: number
  readonly asOf?: number
  readonly out?: string
}

/** `candela export`: candles of the archive as CSV. */
export const addExport = (program: Command): void => {
  addMarket(program.command('export'))
    .description('write the stored candles of a market as CSV or JSON')
    .option('--from <time>', 'only candles that open at this time or later, such as 2024-01-31', time)
    .option('--to <time>', 'only candles that open before this time', time)
    .option('--as-of <time>', 'the candles as they were known at this time, without later corrections', time)
    .option('--out <file>', 'file to write, instead of standard output')
    .option('--json', 'a JSON array of candles, as GET /candles answers, instead of CSV')
    .action(
      marketAction((market, options: Options) =>
        withArchive(archive => run(archive, market, options), options),
      ),
    )
}

async function run(archive: Archive, market: Market, options: Options): Promise<void> {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, asOf, out, json } = options
  const { exchange, symbol, timeframe } = market
  await archive.prepare(marketKey(market))
  if (archive.info(marketKey(market)).count === 0) {
    if (new ExchangeRegistry(configure()).find(exchange)?.source.isComputed)
      throw new CommandFailure(
        `${exchange} computes its candles and stores none. A running service has them: GET /candles?exchange=${exchange}&symbol=${symbol}&timeframe=${timeframe}&results=max`,
      )
    throw new CommandFailure(
      `There are no stored candles of ${nameOf(market)}. To fetch them: candela backfill ${nameOf(market)} --depth 1000`,
    )
  }
  // The end is exclusive, and times are whole seconds.
  const stored = archive.blocks(marketKey(market), from, Math.ceil(to) - 1)
  const blocks =
    asOf === undefined
      ? stored
      : orFail(blocksAsOf(stored, timeframe, asOf, archive.asOf(marketKey(market), asOf)))
  await writeText(json ? writeJson(blocks) : writeCsv(blocks), out)
}

/** Yields the lines of a CSV file with candles, after a header. Times are Unix seconds. */
export function* writeCsv(blocks: Iterable<CandleBlock>): Generator<string> {
  yield `${columnNames.join(',')}\n`
  // JavaScript prints a number as the shortest text that reads back as the same number, so nothing is lost.
  for (const { columns, from, to } of blocks)
    for (let at = from; at < to; at++) yield `${columnNames.map(name => columns[name][at]).join(',')}\n`
}

/** Yields candles as a JSON array, with one candle per line. */
export function* writeJson(blocks: Iterable<CandleBlock>): Generator<string> {
  let before = '[\n'
  for (const { columns, from, to } of blocks)
    for (let at = from; at < to; at++) {
      const candle = columns.read(at)
      yield before + JSON.stringify({ ...candle, timestampHuman: formatTime(candle.timestamp) })
      before = ',\n'
    }
  yield before === ',\n' ? '\n]\n' : '[]\n'
}

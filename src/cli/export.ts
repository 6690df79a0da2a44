import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { countBefore } from '../candles/columns.js'
import type { Timeframe } from '../candles/timeframe.js'
import { configure } from '../config.js'
import { keyOf, type Market } from '../contract/market.js'
import { ExchangeRegistry } from '../exchanges/registry.js'
import { parseTime } from './csv/time.js'
import { writeCsv } from './csv/writer.js'
import { CommandFailure, runCommand } from './failure.js'
import { marketArguments, marketOf, nameOf, withArchive } from './market.js'

interface Options {
  readonly from?: number
  readonly to?: number
  readonly out?: string
}

/** `candela export`: candles of the archive as CSV. */
export const addExport = (program: Command): void => {
  const command = program
    .command('export')
    .description('write the stored candles of a market as CSV')
    .option('--from <time>', 'only candles that open at this time or later, such as 2024-01-31', parseBound)
    .option('--to <time>', 'only candles that open before this time', parseBound)
    .option('--out <file>', 'file to write, instead of standard output')
    .action((exchange: string, symbol: string, timeframe: Timeframe, options: Options) =>
      runCommand(() => run(marketOf(exchange, symbol, timeframe), options)),
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

const run = (
  market: Market,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, out }: Options,
) =>
  withArchive(async archive => {
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
    const text = Readable.from(writeCsv(columns, first, Math.max(first, last)))
    try {
      if (out === undefined) await pipeline(text, process.stdout, { end: false })
      else await pipeline(text, createWriteStream(out))
    } catch (error) {
      // The program that reads standard output may end early, as `head` does.
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') return
      throw new CommandFailure(`Cannot write ${out ?? 'to standard output'}: ${(error as Error).message}`)
    }
  })

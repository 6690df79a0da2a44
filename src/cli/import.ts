import { type Command, Option } from 'commander'
import type { Candle } from '../candles/candle.js'
import { type Collation, collate, type NamedReading } from '../candles/collation.js'
import { readCsv } from '../candles/csv.js'
import { written } from '../candles/moment.js'
import { openOf, type Timeframe, timeframes } from '../candles/timeframe.js'
import type { Market } from '../contract/market.js'
import { type Archive, deepest } from '../market/archive.js'
import { keyOf } from '../market/backfill.js'
import { CommandFailure, reporting } from './failure.js'
import { openFiles } from './files.js'
import {
  gapsText,
  hasSessions,
  nameOf,
  parseExchange,
  parseSymbol,
  refuseComputed,
  withArchive,
} from './market.js'

interface Options {
  readonly exchange: string
  readonly symbol: string
  readonly timeframe?: Timeframe
}

/** `candela import`: takes candles of CSV files into the archive, all of them or none. */
export const addImport = (program: Command): void => {
  program
    .command('import')
    .description('take candles out of CSV files: all of them, or none')
    .argument('<files...>', 'CSV files, also zipped, such as those of Binance; - is standard input')
    .addOption(
      new Option('--exchange <exchange>', 'such as binance; candela exchanges lists them')
        .argParser(parseExchange)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--symbol <symbol>', 'such as BTCUSDT, btc-usdt or BTC/USDT')
        .argParser(parseSymbol)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--timeframe <timeframe>',
        'length of a candle, where their distance does not tell it',
      ).choices(Object.keys(timeframes)),
    )
    .action((paths: readonly string[], options: Options) => reporting(() => take(paths, options)))
}

async function take(
  paths: readonly string[],
  { exchange, symbol, timeframe: given }: Options,
): Promise<void> {
  refuseComputed(exchange, 'its candles cannot be others')
  const readings = await readAll(paths, { symbol, isInverse: isInverse(exchange, symbol) })
  const now = Date.now() / 1000
  const collation = collate(readings, { timeframe: given, now, hasSessions: hasSessions(exchange) })
  const { timeframe, candles } = collation
  refuseFaults(paths, readings, collation)
  const [last] = candles.slice(-1)
  if (timeframe === undefined || last === undefined)
    throw new CommandFailure('Nothing was imported: none of the candles has ended')
  const market = { exchange, symbol, timeframe }
  const kept = newest(candles, timeframe, now)
  if (kept.length === 0) {
    throw new CommandFailure(
      `Nothing was imported: ${deepest} candles are kept of a market, and the newest one here, of ${written(last.timestamp)}, is older than that`,
    )
  }
  await withArchive(archive => store(archive, market, kept, now))
  const first = kept[0] as Candle
  const notes = [
    `${nameOf(market)}: ${kept.length} candles imported, ${written(first.timestamp)} to ${written(last.timestamp)}`,
    ...(hasSessions(exchange)
      ? []
      : [
          gapsText(
            kept.map(({ timestamp }) => timestamp),
            timeframe,
          ),
        ]),
    ...(collation.repeated > 0 ? [`${collation.repeated} of them given more than once`] : []),
    ...(collation.forming > 0 ? [`${collation.forming} left out that had not ended`] : []),
    ...(kept.length < candles.length
      ? [`${candles.length - kept.length} older ones left out, because ${deepest} are kept`]
      : []),
  ]
  console.log(notes.join('; '))
}

/** What each file says. What was taken for granted is told. */
async function readAll(
  paths: readonly string[],
  options: { readonly symbol: string; readonly isInverse: boolean },
): Promise<readonly NamedReading[]> {
  const readings: NamedReading[] = []
  for (const path of paths) {
    const before = readings.length
    for await (const { name, bytes } of openFiles(path)) {
      const reading = await readCsv(bytes, options)
      readings.push({ ...reading, name })
      for (const note of reading.notes) console.error(`candela: ${name}: ${note}`)
      if (!reading.isWhole) console.error(`candela: ${name}: not all lines were read`)
    }
    if (readings.length === before) throw new CommandFailure(`There is no CSV file in ${path}`)
  }
  return readings
}

/** Names every line with a fault, and ends the import where there is one. */
function refuseFaults(
  paths: readonly string[],
  readings: readonly NamedReading[],
  { complaints, objection }: Collation,
): void {
  for (const { file, line, text } of complaints) console.error(`${file}:${line}: ${text}`)
  if (complaints.length > 0) {
    const lines = complaints.length === 1 ? '1 line has a fault' : `${complaints.length} lines have faults`
    throw new CommandFailure(`Nothing was imported: ${lines}`)
  }
  if (objection === undefined) return
  const where = readings.length === 1 ? readings[0]?.name : `these ${paths.length} files`
  throw new CommandFailure(`Nothing was imported from ${where}: ${objection}`)
}

/** Whether the market is settled in the currency that it trades: then volumes are counted in contracts. */
const isInverse = (exchange: string, symbol: string) =>
  exchange === 'binancecoinm' || /^(.+)USD:\1(?:-|$)/.test(symbol)

/** Candles that fit between the last one and now, that one not counted. */
const since = ({ timestamp }: Candle, timeframe: Timeframe, now: number) =>
  Math.max(0, Math.ceil((openOf(timeframe, now) - timestamp) / timeframes[timeframe]) - 1)

/** The newest candles that can be kept together with those that are missing until now. */
function newest(candles: readonly Candle[], timeframe: Timeframe, now: number): readonly Candle[] {
  const last = candles.at(-1) as Candle
  const room = Math.max(0, deepest - since(last, timeframe, now))
  return candles.slice(Math.max(0, candles.length - room))
}

/** Keeps candles, and as many as there are from the first one until now: the service joins on what is missing. */
function store(archive: Archive, market: Market, candles: readonly Candle[], now: number): void {
  const key = keyOf(market)
  const first = candles[0] as Candle
  const before = archive.read(key)
  const oldest = Math.min(first.timestamp, before?.columns.timestamp[0] ?? first.timestamp)
  const slots = since({ ...first, timestamp: oldest }, market.timeframe, now) + 1
  archive.keep(key, Math.min(deepest, slots))
  archive.write(key, candles)
}

import { basename } from 'node:path'
import { type Command, Option } from 'commander'
import type { Archive } from '../archive/archive.js'
import { packedSize } from '../archive/chunk-codec.js'
import { type Candle, isSame } from '../candles/candle.js'
import { formatTime } from '../candles/format-time.js'
import { gapsIn } from '../candles/gaps.js'
import { candlesBetween, isTimeframe, openOf, type Timeframe, timeframes } from '../candles/timeframe.js'
import { configure } from '../config/config.js'
import { canonicalSymbol, keyOf, type Market } from '../contract/market.js'
import { ExchangeRegistry } from '../exchanges/registry.js'
import { nameOf, parseExchange } from './arguments.js'
import { openFiles } from './csv/input-file.js'
import { type CsvMerge, mergeCsv, type NamedReading } from './csv/merge.js'
import { type CsvReading, readCsv } from './csv/reader.js'
import { action, CommandFailure, type CommonOptions, printNote } from './failure.js'
import { withArchive } from './open-store.js'
import { parseSymbol } from './option-parsers.js'
import { formatCount, formatGaps, printResult } from './output.js'
import { createReadingDisplay } from './progress.js'

interface Options extends CommonOptions {
  readonly exchange: string
  readonly symbol?: string
  readonly timeframe?: Timeframe
  readonly skipInvalid?: true
  readonly dryRun?: true
}

/** Candles that are stored in one transaction. */
const pieceSize = 5 * packedSize

/** More problems are counted, but not printed. */
const maxPrintedProblems = 20

/** `candela import`: candles from files into the archive. It works while a service uses the same data directory. */
export const addImport = (program: Command): void => {
  program
    .command('import')
    .description('store the candles of CSV files: all of them, or none if a line is invalid')
    .argument('<files...>', 'CSV files of one market, also as .gz or .zip; - is standard input')
    .addOption(
      new Option('--exchange <exchange>', 'the exchange that the market belongs to')
        .argParser(parseExchange)
        .makeOptionMandatory(),
    )
    .option(
      '--symbol <symbol>',
      'the symbol of the market; may be omitted for files that are named as Binance names them',
      parseSymbol,
    )
    .addOption(
      new Option(
        '--timeframe <timeframe>',
        'length of a candle; found by the time between candles if omitted',
      ).choices(Object.keys(timeframes)),
    )
    .option('--skip-invalid', 'leave out invalid lines and import the others')
    .option('--dry-run', 'check the files and show what would be imported, without storing it')
    .option('--json', 'print a JSON object')
    .action(action(run))
}

type FileReading = NamedReading & CsvReading

async function run(files: readonly string[], options: Options): Promise<void> {
  const { exchange } = options
  if (new ExchangeRegistry(configure()).find(exchange)?.source.isComputed)
    throw new CommandFailure(`${exchange} computes its candles, there is nothing to import`)
  const named = parseBinanceNames(files)
  const symbol = options.symbol ?? named?.symbol
  if (symbol === undefined)
    throw new CommandFailure('The names of the files do not contain the symbol: add --symbol')

  const display = createReadingDisplay('reading', options.json === undefined)
  const csvOptions = { symbol, isInverse: exchange === 'binancecoinm' }
  const readings: FileReading[] = []
  for await (const { name, bytes } of openFiles(files, display))
    readings.push({ name, ...(await readCsv(bytes, csvOptions)) })
  const now = Date.now() / 1000
  const timeframe = options.timeframe ?? named?.timeframe
  const merge = mergeCsv(readings, { timeframe, now, hasSessions: exchange === 'stocks' })
  const market: Market = { exchange, symbol, timeframe: checkMerge(readings, merge, options) }
  for (const { name, notes } of readings)
    for (const note of notes) printNote(`${readings.length > 1 ? `${name}: ` : ''}${note}`, options)

  await withArchive(async archive => {
    await archive.prepare(keyOf(market))
    return importCandles(archive, market, merge, now, options)
  }, options)
}

/** Symbol and timeframe out of file names such as `BTCUSDT-1h-2024-01.zip`; undefined unless all files have the same. */
function parseBinanceNames(
  files: readonly string[],
): { readonly symbol: string; readonly timeframe: Timeframe } | undefined {
  const matches = files.map(file =>
    /^([A-Z0-9_]+)-(\d+[mhdw])-\d{4}-\d\d(?:-\d\d)?\.(?:csv|zip)$/.exec(basename(file)),
  )
  const [, symbol, timeframe] = matches[0] ?? []
  if (symbol === undefined || timeframe === undefined || !isTimeframe(timeframe)) return undefined
  if (matches.some(match => match?.[1] !== symbol || match[2] !== timeframe)) return undefined
  return { symbol: canonicalSymbol(symbol), timeframe }
}

/** Prints the problems of the files. The timeframe of the candles, if they may be imported; else throws CommandFailure. */
function checkMerge(
  readings: readonly FileReading[],
  { problems, rejection, timeframe, candles }: CsvMerge,
  options: Options,
): Timeframe {
  for (const { file, line, text } of problems.slice(0, maxPrintedProblems))
    printNote(`${readings.length > 1 ? `${file} ` : ''}line ${line}: ${text}`, options)
  if (problems.length > maxPrintedProblems)
    printNote(`and ${problems.length - maxPrintedProblems} lines more`, options)

  const summary = `${formatCount(problems.length, 'line')} cannot be used`
  if (readings.some(({ isComplete }) => !isComplete))
    throw new CommandFailure(`Nothing was imported: ${summary}`)
  if (rejection !== undefined)
    throw new CommandFailure(
      `Nothing was imported: ${rejection}${timeframe === undefined ? ' (--timeframe)' : ''}`,
    )
  if (problems.length > 0 && !options.skipInvalid)
    throw new CommandFailure(`Nothing was imported: ${summary}; --skip-invalid leaves them out`)
  if (timeframe === undefined || candles.length === 0)
    throw new CommandFailure('Nothing was imported: there are no closed candles')
  if (problems.length > 0) printNote(`${summary} and were left out`, options)
  return timeframe
}

/** Stores candles, unless it is a dry run, and prints what that changes. */
function importCandles(
  archive: Archive,
  market: Market,
  merge: CsvMerge,
  now: number,
  options: Options,
): void {
  const { dryRun: isDryRun = false } = options
  const { timeframe } = market
  const key = keyOf(market)
  const candles = merge.candles.slice(-archive.maxDepth)
  const before = archive.info(key)
  const { known, same } = compare(archive, key, candles)
  const replaced = known - same
  const added = candles.length - known
  const stored = (before?.count ?? 0) + added
  const newest = Math.max(before?.last ?? 0, (candles.at(-1) as Candle).timestamp)
  const missing = Math.max(0, candlesBetween(timeframe, newest, openOf(timeframe, now)) - 1)
  if (!isDryRun) {
    archive.setDepth(key, stored + missing)
    for (const piece of piecesAround(candles, before?.last)) archive.write(key, piece)
  }
  const [from, to] = [candles[0], candles.at(-1)].map(candle => candle?.timestamp) as [number, number]
  const { repeated, forming } = merge
  const leftOut = { repeated, forming, older: merge.candles.length - candles.length }
  const counts = { candles: candles.length, new: added, replaced, same, missing, leftOut }
  printResult({ ...market, isDryRun, from, to, ...counts }, options, () => {
    const done = isDryRun ? 'to import' : 'imported'
    const openTimes = candles.map(({ timestamp }) => timestamp)
    const gaps = formatGaps(gapsIn(openTimes, openTimes.length, timeframe), timeframe, (text, longest) => {
      return `, ${text} missing; the longest from ${formatTime(longest.from)} to ${formatTime(longest.to)}`
    })
    return [
      `${nameOf(market)}: ${formatCount(candles.length, 'candle')} ${done}, ${formatTime(from)} to ${formatTime(to)}`,
      `${added} new, ${replaced} replaced, ${same} the same as before`,
      gaps,
      ...(repeated > 0 ? [`${formatCount(repeated, 'line')} left out: the same candle as another line`] : []),
      ...(forming > 0 ? [`${formatCount(forming, 'candle')} left out: not closed yet`] : []),
      ...(leftOut.older > 0
        ? [`${formatCount(leftOut.older, 'older candle')} left out: ${archive.maxDepth} are kept at most`]
        : []),
      ...(missing > 0 ? [hintOf(market, missing, stored, archive.maxDepth)] : []),
    ].join('\n  ')
  })
}

/** How many of the candles, ascending, are stored, and how many of these as they are. */
function compare(archive: Archive, key: string, candles: readonly Candle[]) {
  const counts = { known: 0, same: 0 }
  let next = 0
  const [first, last] = [candles[0], candles.at(-1)] as [Candle, Candle]
  for (const { columns, from, to } of archive.blocks(key, first.timestamp, last.timestamp))
    for (let at = from; at < to; at++) {
      const time = columns.timestamp[at] as number
      while ((candles[next] as Candle).timestamp < time) next++
      if (candles[next]?.timestamp !== time) continue
      counts.known++
      if (isSame(candles[next] as Candle, columns.read(at))) counts.same++
    }
  return counts
}

/**
 * Candles in pieces: from the newest known time backwards, and then forwards from it. So the series has no hole wherever this is
 * cut off, and the same command goes on from there.
 */
function* piecesAround(
  candles: readonly Candle[],
  last = Number.POSITIVE_INFINITY,
): Generator<readonly Candle[]> {
  const split = candles.findIndex(({ timestamp }) => timestamp > last)
  const middle = split < 0 ? candles.length : split
  for (let end = middle; end > 0; end -= pieceSize) yield candles.slice(Math.max(0, end - pieceSize), end)
  for (let from = middle; from < candles.length; from += pieceSize)
    yield candles.slice(from, from + pieceSize)
}

/** How to get the candles between the imported ones and now. */
function hintOf(market: Market, missing: number, stored: number, maxDepth: number): string {
  const text = `${missing} ${missing === 1 ? 'candle is' : 'candles are'} missing up to now`
  if (missing + stored <= maxDepth)
    return `${text}. To fetch them: candela backfill ${nameOf(market)} --depth ${missing + stored}`
  return `${text}, and ${maxDepth} are kept at most: when newer ones are fetched, the oldest are dropped`
}

import { basename } from 'node:path'
import { type Command, Option } from 'commander'
import type { Candle } from '../candles/candle.js'
import { columnNames } from '../candles/columns.js'
import { type CandleRows, candleWidth, SortedRows } from '../candles/files/disk-rows.js'
import { openFiles } from '../candles/files/input.js'
import { type CsvMerge, LineProblems, mergeCsv } from '../candles/files/merge.js'
import type { ReadingOptions } from '../candles/files/read.js'
import { type FileReading as RowReading, readRows } from '../candles/files/read.js'
import { formatCount } from '../candles/format-count.js'
import { formatTime } from '../candles/format-time.js'
import { candlesBetween, isTimeframe, openOf, type Timeframe, timeframes } from '../candles/timeframe.js'
import { canonicalSymbol, isStocks, type Market, marketKey, ownId } from '../contract/market.js'
import { type Archive, maxDepth } from '../markets/archive/archive.js'
import { packedSize } from '../markets/archive/chunk-codec.js'
import { storeLonger } from '../markets/archive/own-market.js'
import { ExchangeRegistry } from '../markets/exchanges/registry.js'
import { configure } from '../operate/settings/config.js'
import { finish } from '../runtime/scheduler.js'
import { nameOf, parseExchange } from './arguments.js'
import { action, CommandFailure, type CommonOptions, printNote } from './failure.js'
import { addFileOptions, type FileOptions, printExplanations, readingOf } from './file-options.js'
import { withArchive } from './open-store.js'
import { parseSymbol } from './option-parsers.js'
import { formatGaps, printResult } from './output.js'
import { createReadingDisplay } from './progress.js'

interface Options extends CommonOptions, FileOptions {
  readonly exchange: string
  readonly symbol?: string
  readonly timeframe?: Timeframe
  readonly skipInvalid?: true
  readonly dryRun?: true
}

const pieceSize = 5 * packedSize

const maxPrintedProblems = 20

/** `candela import`: candles from files into the archive. It works while a service uses the same data directory. */
export const addImport = (program: Command): void => {
  const command = program
    .command('import')
    .description('store the candles of files: all of them, or none if a line is invalid')
    .argument(
      '<files...>',
      'CSV, JSON, Parquet, Feather or .xlsx of one market, also as .gz, .zst or .zip; - is standard input',
    )
    .addOption(
      new Option(
        '--exchange <exchange>',
        'the exchange that the market belongs to; own for an instrument of yours',
      )
        .argParser(parseExchange)
        .default(ownId),
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
  addFileOptions(command)
    .option('--skip-invalid', 'leave out invalid lines and import the others')
    .option('--dry-run', 'check the files and show what would be imported, without storing it')
    .option('--json', 'print a JSON object')
    .action(action(run))
}

type FileReading = Omit<RowReading, 'rows' | 'problems'> & { readonly name: string }

async function run(files: readonly string[], options: Options): Promise<void> {
  const { exchange } = options
  if (new ExchangeRegistry(configure()).find(exchange)?.source.isComputed)
    throw new CommandFailure(`${exchange} computes its candles, there is nothing to import`)
  const named = parseBinanceNames(files)
  const symbol = options.symbol ?? named?.symbol
  if (symbol === undefined)
    throw new CommandFailure('The names of the files do not contain the symbol: add --symbol')

  const reading = { ...readingOf(options), symbol, isInverse: exchange === 'binancecoinm' }
  if (options.explain) return printExplanations(files, reading, options)

  const problems = new LineProblems(maxPrintedProblems)
  const rows = new SortedRows()
  const readings = await readFiles(files, reading, rows, problems, options)
  const now = Date.now() / 1000
  const timeframe = options.timeframe ?? named?.timeframe
  const merge = mergeCsv(rows, problems, {
    timeframe,
    now,
    hasSessions: isStocks(exchange) || exchange === ownId,
  })
  rows.close()
  const market: Market = { exchange, symbol, timeframe: checkMerge(readings, merge, problems, options) }
  for (const { name, notes } of readings)
    for (const note of notes) printNote(`${readings.length > 1 ? `${name}: ` : ''}${note}`, options)

  await withArchive(async archive => {
    await archive.prepare(marketKey(market))
    return importCandles(archive, market, merge, now, options)
  }, options)
}

async function readFiles(
  files: readonly string[],
  reading: ReadingOptions,
  rows: SortedRows,
  problems: LineProblems,
  options: Options,
): Promise<FileReading[]> {
  const display = createReadingDisplay('reading', options.json === undefined)
  const readings: FileReading[] = []
  for await (const input of openFiles(files, { sheet: reading.sheet, display })) {
    const { name } = input
    const file = problems.addFile(name)
    const found = await readRows(input, reading, (line, candle) => rows.add(file, line, candle))
    for (const { line, text } of found.problems) problems.add(file, line, text)
    readings.push({ name, notes: found.notes, isComplete: found.isComplete })
  }
  return readings
}

/** Reads symbol and timeframe from file names such as `BTCUSDT-1h-2024-01.zip`; undefined unless all files have the same. */
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

/** Prints the problems of the files. Returns the timeframe of the candles. Throws CommandFailure if they may not be imported. */
function checkMerge(
  readings: readonly FileReading[],
  { rejection, timeframe, candles }: CsvMerge,
  { first, count }: LineProblems,
  options: Options,
): Timeframe {
  for (const { file, line, text } of first)
    printNote(`${readings.length > 1 ? `${file} ` : ''}line ${line}: ${text}`, options)
  if (count > first.length) printNote(`and ${count - first.length} lines more`, options)

  const summary = `${formatCount(count, 'line')} cannot be used`
  if (readings.some(({ isComplete }) => !isComplete))
    throw new CommandFailure(`Nothing was imported: ${summary}`)
  if (rejection !== undefined)
    throw new CommandFailure(
      `Nothing was imported: ${rejection}${timeframe === undefined ? ' (--timeframe)' : ''}`,
    )
  if (count > 0 && !options.skipInvalid)
    throw new CommandFailure(`Nothing was imported: ${summary}; --skip-invalid leaves them out`)
  if (timeframe === undefined || candles.count === 0)
    throw new CommandFailure('Nothing was imported: there are no closed candles')
  if (count > 0) printNote(`${summary} and were left out`, options)
  return timeframe
}

/** Stores candles, except in a dry run, and prints the changes. */
async function importCandles(
  archive: Archive,
  market: Market,
  merge: CsvMerge,
  now: number,
  options: Options,
): Promise<void> {
  const { dryRun: isDryRun = false } = options
  const { exchange, symbol, timeframe } = market
  const isOwn = exchange === ownId
  const key = marketKey(market)
  const { candles, repeated, forming } = merge
  const leftOut = { repeated, forming, older: candles.dropOldest(maxDepth) }
  const { count } = candles
  // Imported candles replace candles that were made of shorter ones.
  if (!isDryRun && archive.info(key).isDerived) archive.remove(key)
  const before = archive.info(key)
  const { known, same } = compare(archive, key, candles)
  const replaced = known - same
  const added = count - known
  const stored = before.count + added
  const [from, to] = [candles.timeOf(0), candles.timeOf(count - 1)]
  const newest = Math.max(before.last, to)
  const missing = isOwn ? 0 : Math.max(0, candlesBetween(timeframe, newest, openOf(timeframe, now)) - 1)
  if (!isDryRun) {
    archive.setDepth(key, stored + missing)
    // A stopped service may have left candles in the scale before a split.
    finish(archive.adjustSplit(key, from))
    for (const piece of piecesAround(candles, before.count > 0 ? before.last : undefined))
      archive.write(key, piece)
  }
  const longer = isOwn && !isDryRun ? await storeLonger(archive, symbol, timeframe, from) : []
  const counts = { candles: count, new: added, replaced, same, missing, leftOut, ...(isOwn && { longer }) }
  printResult({ ...market, isDryRun, from, to, ...counts }, options, () => {
    const done = isDryRun ? 'to import' : 'imported'
    const gaps = formatGaps(candles.gaps(timeframe), timeframe, (text, longest) => {
      return `, ${text} missing; the longest from ${formatTime(longest.from)} to ${formatTime(longest.to)}`
    })
    return [
      `${nameOf(market)}: ${formatCount(count, 'candle')} ${done}, ${formatTime(from)} to ${formatTime(to)}`,
      `${added} new, ${replaced} replaced, ${same} the same as before`,
      gaps,
      ...(repeated > 0 ? [`${formatCount(repeated, 'line')} left out: the same candle as another line`] : []),
      ...(forming > 0 ? [`${formatCount(forming, 'candle')} left out: not closed yet`] : []),
      ...(leftOut.older > 0
        ? [`${formatCount(leftOut.older, 'older candle')} left out: ${maxDepth} are kept at most`]
        : []),
      ...(missing > 0 ? [hintOf(market, missing, stored)] : []),
      ...(longer.length > 0
        ? [`also as ${longer.join(', ')}, without candles whose beginning or end is missing`]
        : []),
    ].join('\n  ')
  })
  candles.close()
}

/** Counts the candles whose time is already stored (`known`), and the candles that are stored unchanged (`same`). */
function compare(archive: Archive, key: string, candles: CandleRows) {
  const counts = { known: 0, same: 0 }
  const [first, last] = [candles.timeOf(0), candles.timeOf(candles.count - 1)]
  const pieces = candles.pieces()
  let piece = pieces.next().value as Float64Array
  let next = 0
  for (const { columns, from, to } of archive.blocks(key, first, last))
    for (let at = from; at < to; at++) {
      const time = columns.timestamp[at] as number
      while ((piece[next] as number) < time) {
        next += candleWidth
        if (next < piece.length) continue
        piece = pieces.next().value as Float64Array
        next = 0
      }
      if (piece[next] !== time) continue
      counts.known++
      if (columnNames.every((name, k) => columns[name][at] === piece[next + k])) counts.same++
    }
  return counts
}

/**
 * Yields candles in pieces: first backwards from the newest known time, then forwards from it. So an interrupted import leaves no
 * gap, and the same command continues from there.
 */
function* piecesAround(candles: CandleRows, last = Number.POSITIVE_INFINITY): Generator<readonly Candle[]> {
  const middle = candles.indexAfter(last)
  for (let end = middle; end > 0; end -= pieceSize) yield candles.read(Math.max(0, end - pieceSize), end)
  for (let from = middle; from < candles.count; from += pieceSize)
    yield candles.read(from, Math.min(from + pieceSize, candles.count))
}

/** Hint for the user on fetching the candles between the imported ones and now. */
function hintOf(market: Market, missing: number, stored: number): string {
  const text = `${missing} ${missing === 1 ? 'candle is' : 'candles are'} missing up to now`
  if (missing + stored <= maxDepth)
    return `${text}. To fetch them: candela backfill ${nameOf(market)} --depth ${missing + stored}`
  return `${text}, and ${maxDepth} are kept at most: when newer ones are fetched, the oldest are dropped`
}

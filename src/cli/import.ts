import { basename } from 'node:path'
import { type Command, Option } from 'commander'
import type { Candle } from '../candles/candle.js'
import { formatTime } from '../candles/format-time.js'
import { type Gap, gapsIn } from '../candles/gaps.js'
import { isTimeframe, openOf, type Timeframe, timeframes } from '../candles/timeframe.js'
import { configure } from '../config.js'
import { canonicalSymbol, keyOf, type Market } from '../contract/market.js'
import { ExchangeRegistry } from '../exchanges/registry.js'
import { type Archive, maxDepth } from '../history/archive.js'
import { type CsvReading, readCsv } from './csv/csv.js'
import { openFile } from './csv/input-file.js'
import { type CsvMerge, mergeCsv, type NamedReading } from './csv/merge.js'
import { CommandFailure, reporting } from './failure.js'
import { nameOf, parseExchange, parseSymbol, withArchive } from './market.js'

interface Options {
  readonly exchange: string
  readonly symbol?: string
  readonly timeframe?: Timeframe
  readonly skipInvalid?: true
  readonly dryRun?: true
}

/** Complaints that are printed; the others are counted. */
const mostPrinted = 20

/** `candela import`: candles of one's own into the archive. It works while a server uses the same data directory. */
export const addImport = (program: Command): void => {
  program
    .command('import')
    .description('add candles from CSV files to what is kept of a market: all of them, or nothing')
    .argument('<files...>', 'CSV files of one market, also as .gz or .zip; - is standard input')
    .addOption(
      new Option('--exchange <exchange>', 'the exchange that the market belongs to')
        .argParser(parseExchange)
        .makeOptionMandatory(),
    )
    .option(
      '--symbol <symbol>',
      'the market, unless the files are called like Binance calls them',
      parseSymbol,
    )
    .addOption(
      new Option('--timeframe <timeframe>', 'length of a candle, else the spacing tells it').choices(
        Object.keys(timeframes),
      ),
    )
    .option('--skip-invalid', 'leave out lines that cannot be used, instead of importing nothing')
    .option('--dry-run', 'check the files and say what would be imported')
    .action((files: readonly string[], options: Options) => reporting(() => run(files, options)))
}

interface OpenedReading extends NamedReading, Pick<CsvReading, 'isWhole' | 'notes'> {}

async function run(files: readonly string[], options: Options): Promise<void> {
  const { exchange } = options
  if (new ExchangeRegistry(configure()).find(exchange)?.source.isComputed)
    throw new CommandFailure(`${exchange} computes its candles, there is nothing to import`)
  const named = namesOf(files)
  const symbol = options.symbol ?? named?.symbol
  if (symbol === undefined)
    throw new CommandFailure('The names of the files do not tell the market: add --symbol')

  const readings: OpenedReading[] = []
  for (const file of files) {
    for await (const { name, bytes } of openFile(file)) {
      readings.push({ name, ...(await readCsv(bytes, { symbol, isInverse: exchange === 'binancecoinm' })) })
    }
  }
  const now = Date.now() / 1000
  const wanted = options.timeframe ?? named?.timeframe
  const collation = mergeCsv(readings, { timeframe: wanted, now, hasSessions: exchange === 'stocks' })
  const market = accept(readings, collation, options, symbol)
  for (const { name, notes } of readings)
    for (const note of notes) console.error(`candela: ${readings.length > 1 ? `${name}: ` : ''}${note}`)

  await withArchive(archive => add(archive, market, collation, now, options.dryRun === true))
}

/** What Binance's names of public files, such as `BTCUSDT-1h-2024-01.zip`, say where all of them say the same. */
function namesOf(files: readonly string[]): { symbol: string; timeframe: Timeframe } | undefined {
  const told = files.map(file =>
    /^([A-Z0-9_]+)-(\d+[mhdw])-\d{4}-\d\d(?:-\d\d)?\.(?:csv|zip)$/.exec(basename(file)),
  )
  const [, symbol, timeframe] = told[0] ?? []
  if (symbol === undefined || timeframe === undefined || !isTimeframe(timeframe)) return undefined
  if (told.some(each => each?.[1] !== symbol || each[2] !== timeframe)) return undefined
  return { symbol: canonicalSymbol(symbol), timeframe }
}

/** The market that the files are about, if they are to be imported: everything against it is printed. */
function accept(
  readings: readonly OpenedReading[],
  { problems, objection, timeframe, candles }: CsvMerge,
  { exchange, skipInvalid }: Options,
  symbol: string,
): Market {
  const place = (file: string, line: number) =>
    readings.length > 1 ? `${file} line ${line}` : `line ${line}`
  for (const { file, line, text } of problems.slice(0, mostPrinted))
    console.error(`candela: ${place(file, line)}: ${text}`)
  if (problems.length > mostPrinted) console.error(`candela: and ${problems.length - mostPrinted} lines more`)

  const faults = `${problems.length} ${problems.length === 1 ? 'line' : 'lines'} cannot be used`
  if (readings.some(({ isWhole }) => !isWhole)) throw new CommandFailure(`Nothing was imported: ${faults}`)
  if (objection !== undefined)
    throw new CommandFailure(
      `Nothing was imported: ${objection}${timeframe === undefined ? ' (--timeframe)' : ''}`,
    )
  if (problems.length > 0 && !skipInvalid)
    throw new CommandFailure(`Nothing was imported: ${faults}; --skip-invalid leaves them out`)
  if (timeframe === undefined || candles.length === 0)
    throw new CommandFailure('Nothing was imported: there are no closed candles')
  if (problems.length > 0) console.error(`candela: ${faults} and were left out`)
  return { exchange, symbol, timeframe }
}

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

/** Puts candles into the archive and says what that changes. */
function add(
  archive: Archive,
  market: Market,
  { candles: all, repeated, forming }: CsvMerge,
  now: number,
  isDry: boolean,
): void {
  const key = keyOf(market)
  const length = timeframes[market.timeframe]
  const candles = all.slice(-maxDepth)
  const before = new Map<number, Candle>()
  const stored = archive.read(key)
  for (let at = 0; stored && at < stored.closed; at++) {
    const candle = stored.columns.read(at)
    before.set(candle.timestamp, candle)
  }
  const known = candles.filter(candle => before.has(candle.timestamp))
  const replaced = known.filter(candle => differs(candle, before.get(candle.timestamp) as Candle)).length
  const times = [...new Set([...before.keys(), ...candles.map(({ timestamp }) => timestamp)])].sort(
    (a, b) => a - b,
  )
  const newest = times.at(-1) as number
  const behind = Math.max(0, (openOf(market.timeframe, now) - newest) / length - 1)
  const depth = Math.min(maxDepth, times.length + behind)

  if (!isDry) {
    archive.setDepth(key, depth)
    archive.write(key, candles)
  }
  const [first, last] = [candles[0], candles.at(-1)] as [Candle, Candle]
  const gaps = gapsIn(
    candles.map(({ timestamp }) => timestamp),
    candles.length,
    length,
  )
  const lines = [
    `${nameOf(market)}: ${counted(candles.length, 'candle')} ${isDry ? 'to import' : 'imported'}, ${formatTime(first.timestamp)} to ${formatTime(last.timestamp)}`,
    `  ${candles.length - known.length} new, ${replaced} replaced, ${known.length - replaced} the same as before`,
    `  ${gapsText(gaps, length)}`,
  ]
  if (repeated > 0) lines.push(`  ${counted(repeated, 'line')} said what another one had said`)
  if (forming > 0) lines.push(`  ${counted(forming, 'candle')} left out that had not ended`)
  if (candles.length < all.length)
    lines.push(
      `  ${counted(all.length - candles.length, 'older candle')} left out: ${maxDepth} are kept at most`,
    )
  console.log(lines.join('\n'))
  if (behind > 0) console.log(`  ${hintOf(market, behind, times.length)}`)
}

/** What becomes of candles that do not reach up to now. */
function hintOf(market: Market, behind: number, count: number): string {
  const missing = `${behind} ${behind === 1 ? 'candle is' : 'candles are'} missing up to now`
  if (behind + count <= maxDepth)
    return `${missing}. To fetch them: candela backfill ${nameOf(market)} --depth ${behind + count}`
  return `${missing}, and ${maxDepth} are kept at most: when newer ones are fetched, the oldest make room`
}

const differs = (a: Candle, b: Candle) =>
  a.open !== b.open || a.high !== b.high || a.low !== b.low || a.close !== b.close || a.volume !== b.volume

function gapsText(gaps: readonly Gap[], length: number): string {
  if (gaps.length === 0) return 'no gaps'
  const sizeOf = ({ from, to }: Gap) => (to - from) / length
  const missing = gaps.reduce((sum, gap) => sum + sizeOf(gap), 0)
  const longest = gaps.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a))
  const where = `${formatTime(longest.from)} to ${formatTime(longest.to)}`
  return `${counted(gaps.length, 'gap')}, ${counted(missing, 'candle')} missing; the longest from ${where}`
}

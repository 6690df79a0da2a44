import type { Command } from 'commander'
import { formatCount } from '../candles/format-count.js'
import { formatTime } from '../candles/format-time.js'
import { type Gap, gapsIn } from '../candles/gaps.js'
import { type Market, marketKey, ownId } from '../contract/market.js'
import { type Archive, maxDepth } from '../markets/archive/archive.js'
import { ExchangeRegistry } from '../markets/exchanges/registry.js'
import type { Source } from '../markets/exchanges/source.js'
import { backfill, type Progress } from '../markets/history/backfill.js'
import { configure } from '../operate/settings/config.js'
import { addMarket, marketAction, nameOf } from './arguments.js'
import { CommandFailure, type CommonOptions, printNote } from './failure.js'
import { withArchive } from './open-store.js'
import { integer } from './option-parsers.js'
import { formatGaps, printResult } from './output.js'
import { createProgressDisplay } from './progress.js'

/** Exit code of a program that was ended by Ctrl-C. */
const interruptedCode = 130

/** `candela backfill`: fetches older candles of a market. It works while a service uses the same data directory. */
export const addBackfill = (program: Command): void => {
  addMarket(program.command('backfill'))
    .description('fetch the candles that are missing among the newest --depth candles of a market')
    .requiredOption(
      '--depth <n>',
      `number of closed candles to have and to keep, at most ${maxDepth}`,
      integer(1, maxDepth),
    )
    .option('--json', 'print a JSON object')
    .action(
      marketAction((market, options: Options) =>
        withArchive(archive => run(archive, market, options), options),
      ),
    )
}

interface Options extends CommonOptions {
  readonly depth: number
}

async function run(archive: Archive, market: Market, options: Options): Promise<void> {
  const exchanges = new ExchangeRegistry(configure())
  const source = exchanges.find(market.exchange)?.source
  if (source === undefined) throw new CommandFailure(`There is no exchange ${market.exchange}`)
  if (source.isComputed)
    throw new CommandFailure(`${market.exchange} computes its candles, there is nothing to fetch`)
  if (market.exchange === ownId)
    throw new CommandFailure(`${ownId} has only imported candles, there is nothing to fetch`)
  await archive.prepare(marketKey(market))
  const close = () => exchanges.close()
  const { isInterrupted, progress } = await fetchCandles(archive, source, market, options, close)
  if (isInterrupted) {
    printNote(`interrupted; ${keptText(progress?.fetched ?? 0, market, options.depth)}`, options)
    process.exitCode = interruptedCode
  } else printSummary(archive, market, progress, options)
}

/**
 * Runs the backfill until it ends or a signal interrupts it. `close` ends the request in flight. Returns no progress if nothing was
 * done.
 */
async function fetchCandles(
  archive: Archive,
  source: Source,
  market: Market,
  options: Options,
  close: () => void | Promise<void>,
) {
  const { depth } = options
  const display = createProgressDisplay(nameOf(market), depth, options)
  let isInterrupted = false
  const interrupt = () => {
    isInterrupted = true
    void close()
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  let progress: Progress | undefined
  const clock = () => Date.now() / 1000
  const onUnknownScale = () =>
    printNote(
      `${market.exchange} shows ${nameOf(market)} in another price scale; candles that it does not have are kept unchanged`,
      options,
    )
  try {
    for await (progress of backfill({ archive, source, market, depth, clock, onUnknownScale })) {
      display.show(progress)
      if (isInterrupted) break
    }
  } catch (error) {
    if (!isInterrupted) {
      display.end()
      if (progress && progress.fetched > 0) printNote(keptText(progress.fetched, market, depth), options)
      throw error
    }
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    await close()
  }
  display.end()
  return { isInterrupted, progress }
}

const keptText = (fetched: number, market: Market, depth: number) =>
  `${formatCount(fetched, 'fetched candle')} kept. To continue: candela backfill ${nameOf(market)} --depth ${depth}`

function printSummary(
  archive: Archive,
  market: Market,
  progress: Progress | undefined,
  options: Options,
): void {
  const { exchange, symbol, timeframe } = market
  const { depth } = options
  const key = marketKey(market)
  const from = archive.oldestOf(key, depth)
  if (from === undefined || progress === undefined)
    throw new CommandFailure(`${exchange} has no closed candles of ${symbol} ${timeframe}`)
  const { fetched, isExhausted } = progress
  const gaps: Gap[] = []
  let closed = 0
  let to = from
  for (const { columns, from: begin, to: end } of archive.blocks(key, from)) {
    const times = columns.timestamp.subarray(begin, end)
    for (const gap of gapsIn([to, ...times], times.length + 1, timeframe)) gaps.push(gap)
    closed += times.length
    to = times.at(-1) as number
  }
  printResult({ ...market, candles: closed, from, to, fetched, isExhausted, gaps }, options, () => {
    const gapsText = formatGaps(gaps, timeframe, missing => ` (${missing} that the exchange does not have)`)
    const parts = [
      `${nameOf(market)}: ${formatCount(closed, 'candle')}, ${formatTime(from)} to ${formatTime(to)}`,
      `${fetched} fetched, ${gapsText}`,
    ]
    if (isExhausted && closed < depth) parts.push(`${exchange} has no older ones`)
    return parts.join('; ')
  })
}

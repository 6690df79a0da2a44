import { type Command, InvalidArgumentError } from 'commander'
import { formatTime } from '../candles/format-time.js'
import { gapsIn } from '../candles/gaps.js'
import { type Timeframe, timeframes } from '../candles/timeframe.js'
import { configure } from '../config.js'
import { keyOf, type Market } from '../contract/market.js'
import { ExchangeRegistry } from '../exchanges/registry.js'
import { maxDepth } from '../history/archive.js'
import { backfill, type Progress } from '../history/backfill.js'
import { CommandFailure, reporting } from './failure.js'
import { marketArguments, marketOf, nameOf, withArchive } from './market.js'
import { createDisplay } from './progress.js'

/** What a shell reports for a program that was ended by Ctrl-C. */
const interruptedCode = 130

/** `candela backfill`: fetches the past of a market. It works while a server uses the same data directory. */
export const addBackfill = (program: Command): void => {
  const command = program
    .command('backfill')
    .description('fetch the newest candles of a market that are missing, as many as are to be kept of it')
    .requiredOption('--depth <n>', `closed candles to have and to keep, at most ${maxDepth}`, parseDepth)
    .action((exchange: string, symbol: string, timeframe: Timeframe, { depth }: { readonly depth: number }) =>
      reporting(() => fill(marketOf(exchange, symbol, timeframe), depth)),
    )
  for (const argument of marketArguments()) command.addArgument(argument)
}

function parseDepth(text: string): number {
  const depth = Number(text)
  if (!/^\d+$/.test(text) || depth < 1 || depth > maxDepth)
    throw new InvalidArgumentError(`Expected an integer from 1 to ${maxDepth}.`)
  return depth
}

const fill = (market: Market, depth: number): Promise<void> =>
  withArchive(async archive => {
    const exchanges = new ExchangeRegistry(configure())
    const source = exchanges.find(market.exchange)?.source
    if (source === undefined) throw new CommandFailure(`There is no exchange ${market.exchange}`)
    if (source.isComputed)
      throw new CommandFailure(`${market.exchange} computes its candles, there is nothing to fetch`)
    const display = createDisplay(nameOf(market), depth)
    let isInterrupted = false
    const interrupt = () => {
      isInterrupted = true
      // Ends the request under way; what came before it is kept.
      exchanges.close()
    }
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt)

    let last: Progress | undefined
    const clock = () => Date.now() / 1000
    const again = `To go on: candela backfill ${nameOf(market)} --depth ${depth}`
    try {
      for await (const progress of backfill({ archive, source, market, depth, clock })) {
        last = progress
        display.show(progress)
        if (isInterrupted) break
      }
    } catch (error) {
      if (!isInterrupted) {
        display.end()
        if (last && last.fetched > 0)
          console.error(`candela: the ${last.fetched} candles fetched so far are kept. ${again}`)
        throw error
      }
    } finally {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
      await exchanges.close()
    }
    display.end()
    if (isInterrupted) {
      console.error(
        `candela: interrupted; the ${last?.fetched ?? 0} candles fetched so far are kept. ${again}`,
      )
      process.exitCode = interruptedCode
      return
    }

    const stored = archive.read(keyOf(market), depth)
    if (stored === undefined || last === undefined)
      throw new CommandFailure(
        `${market.exchange} has no closed candles of ${market.symbol} ${market.timeframe}`,
      )
    const { columns, closed } = stored
    const gaps = gapsIn(columns.timestamp, closed, timeframes[market.timeframe])
    const [from, to] = [columns.timestamp[0], columns.timestamp[closed - 1]] as [number, number]
    console.log(
      [
        `${nameOf(market)}: ${closed} candles, ${formatTime(from)} to ${formatTime(to)}`,
        `${last.fetched} fetched, ${gapsText(gaps, timeframes[market.timeframe])}`,
        ...(last.isExhausted && closed < depth ? [`${market.exchange} has no older ones`] : []),
      ].join('; '),
    )
  })

const gapsText = (gaps: ReturnType<typeof gapsIn>, length: number): string => {
  if (gaps.length === 0) return 'no gaps'
  const missing = gaps.reduce((sum, { from, to }) => sum + (to - from) / length, 0)
  return `${gaps.length} ${gaps.length === 1 ? 'gap' : 'gaps'} (${missing} candles that the exchange does not have)`
}

import { Option } from 'commander'
import { formatAge } from '../candles/age.js'
import type { ScreenProgress, ScreenResult } from '../client/types.js'
import { printNote } from './failure.js'
import type { Markets } from './markets.js'
import { type ServiceOptions, withMarkets } from './open-markets.js'
import { integer, parseSymbols } from './option-parsers.js'
import { formatCount } from './output.js'
import { createProgressDisplay, type ProgressDisplay } from './progress.js'

export const symbolsOption = (): Option =>
  new Option('--symbols <list>', 'only these markets, with commas between them').argParser(parseSymbols)

export const quoteOption = (): Option =>
  new Option('--quote <currency>', 'only symbols that end with it, such as USDT')

export const maxAgeOption = (): Option =>
  new Option(
    '--max-age <seconds>',
    'leave out markets whose last candle ended more than so many seconds ago',
  ).argParser(integer(0))

/** The result of a question over many markets. On a terminal a bar shows how many of them were fetched. */
export async function overMarkets<Result>(
  { exchange, timeframe }: { readonly exchange: string; readonly timeframe: string },
  options: ServiceOptions,
  ask: (markets: Markets, onProgress: (progress: ScreenProgress) => void) => Promise<Result>,
): Promise<Result> {
  let display: ProgressDisplay | undefined
  const onProgress = ({ done, total }: ScreenProgress) => {
    if (!process.stderr.isTTY) return
    display ??= createProgressDisplay(`fetching ${exchange} ${timeframe}`, total, options, 'markets')
    display.show({ done, back: undefined })
  }
  return withMarkets(options, undefined, markets => ask(markets, onProgress)).finally(() => display?.end())
}

/** Says how many markets have old candles. */
export function printStale({ stale = [] }: Pick<ScreenResult, 'stale'>, options: ServiceOptions): void {
  const [oldest] = [...stale].sort((a, b) => b.age - a.age)
  if (oldest)
    printNote(
      `${formatCount(stale.length, 'market')} with old candles, such as ${oldest.symbol}: the last candle ended ${formatAge(oldest.age)} ago`,
      options,
    )
}

/** Says how many markets could not be looked at. */
export function printFailed({ failed }: Pick<ScreenResult, 'failed'>): void {
  const [first] = failed
  if (first)
    printNote(
      `${formatCount(failed.length, 'market')} could not be screened, such as ${first.symbol}: ${first.error}`,
    )
}

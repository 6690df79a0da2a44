import { type BulkSection, plainTexts } from '../../compute/bulk/bulk-layout.js'
import { type BulkRequest, type MarketConstruct, refuseDuplicates } from '../../contract/bulk.js'
import type { Market } from '../../contract/market.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import type { MarketData } from '../../history/market-data.js'

/** A bulk request over markets, under the identifiers of their exchanges. */
export interface MarketBulk extends BulkRequest<MarketConstruct & Pick<Required<BulkSection>, 'texts'>> {
  /** Whether only an exchange's list of symbols shows that no two constructs are of one market. */
  readonly isAmbiguous: boolean
}

/** A request under the identifiers of its exchanges; two names of one exchange count as the same. */
export function toMarketBulk(
  bulk: BulkRequest<MarketConstruct> | Refusal,
  marketData: MarketData,
): MarketBulk | Refusal {
  if (isRefusal(bulk)) return bulk
  const constructs = bulk.constructs.map((construct, at) => ({
    ...construct,
    texts: plainTexts(construct, at),
    market: marketData.canonical(construct.market),
  }))
  const markets = constructs.map(({ market }) => market)
  return refuseDuplicates(markets) ?? { ...bulk, constructs, isAmbiguous: mayRepeat(markets) }
}

/** Refuses two names of one market in an ambiguous request, by the lists of symbols. Never rejects. */
export const refuseRepeatedMarkets = async (
  { constructs }: MarketBulk,
  marketData: MarketData,
): Promise<Refusal | undefined> =>
  refuseDuplicates(await Promise.all(constructs.map(({ market }) => marketData.fetchListed(market))))

/**
 * Whether one symbol may be another one without its separator, as BRKB is BRK.B: both are of one exchange and one
 * timeframe, and begin alike.
 */
const mayRepeat = (markets: readonly Market[]): boolean =>
  markets.some(({ exchange, symbol, timeframe }) => {
    const separator = symbol.search(/[^A-Z0-9]/)
    if (separator < 1) return false
    const start = symbol.slice(0, separator)
    return markets.some(
      other =>
        other.exchange === exchange &&
        other.timeframe === timeframe &&
        other.symbol !== symbol &&
        other.symbol.startsWith(start),
    )
  })

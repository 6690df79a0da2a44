import { type Market, marketKey } from '../../contract/market.js'
import { joinMarkets } from '../history/multi-market-reading.js'
import type { OnChange } from './feed.js'
import type { FollowedFeed } from './feed-registry.js'

/** One of several markets cannot be followed. */
export class MarketFailure extends Error {
  constructor(
    readonly market: Market,
    cause: unknown,
  ) {
    super(`${marketKey(market)} cannot be followed`, { cause })
  }
}

/**
 * Follows a market with the candles of other markets beside its own: a change of any of them is one of the feed. Rejects with a
 * `MarketFailure` where one of them cannot be followed.
 */
export async function followMarkets(
  follow: (market: Market, onChange: OnChange) => Promise<FollowedFeed>,
  market: Market,
  others: readonly Market[],
  onChange: OnChange,
): Promise<FollowedFeed> {
  let joined: FollowedFeed | undefined
  const emit = () => joined && onChange(joined.snapshot())
  const followed = await Promise.allSettled([market, ...others].map(each => follow(each, emit)))
  const feeds = followed.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  const release = () => {
    for (const feed of feeds) feed.release()
  }
  const failed = followed.findIndex(({ status }) => status === 'rejected')
  if (failed >= 0) {
    release()
    const { reason } = followed[failed] as PromiseRejectedResult
    throw new MarketFailure([market, ...others][failed] as Market, reason)
  }
  const [own, ...otherFeeds] = feeds as [FollowedFeed, ...FollowedFeed[]]
  joined = {
    snapshot: () =>
      joinMarkets(
        market,
        others,
        own.snapshot(),
        otherFeeds.map(feed => feed.snapshot()),
      ),
    age: () => {
      const ages = feeds.flatMap(feed => feed.age() ?? [])
      return ages.length > 0 ? Math.max(...ages) : undefined
    },
    release,
  }
  return joined
}

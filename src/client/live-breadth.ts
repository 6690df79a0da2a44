import type { BreadthResult, LiveBreadthRequest } from './breadth-types.js'
import { liveMarkets } from './live-markets.js'
import type { ScreenProgress } from './screen-types.js'
import type { Followed } from './stream.js'
import { Unread } from './unread.js'

/** A breadth that is followed. Newer values of the same candles take the place of those that were not read yet. */
export function liveBreadth(
  request: LiveBreadthRequest,
  onProgress?: (progress: ScreenProgress) => void,
): Followed<BreadthResult> {
  const unread = new Unread<BreadthResult>()
  return liveMarkets('breadth', request, unread, onProgress, message => {
    const { type, id, ...values } = message as typeof message & BreadthResult & { readonly id: string }
    unread.put(`${values.timestamp}`, values)
  })
}

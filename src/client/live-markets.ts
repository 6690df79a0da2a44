import type { ScreenProgress } from './screen-types.js'
import type { Followed } from './stream.js'
import type { FollowedMessage } from './stream-messages.js'
import type { Unread } from './unread.js'

/** A screen or a breadth that is followed; `take` takes what was found. Every connection begins with its whole state. */
export function liveMarkets<Item>(
  kind: 'screen' | 'breadth',
  request: object,
  unread: Unread<Item>,
  onProgress: ((progress: ScreenProgress) => void) | undefined,
  take: (message: FollowedMessage) => void,
): Followed<Item> {
  let isAccepted = false
  return {
    requests: [{ ...request, type: kind, id: kind }],
    unread,
    receive(message) {
      if (!message.type.startsWith(kind)) return false
      if ('done' in message) onProgress?.({ done: message.done, total: message.total })
      else {
        take(message)
        isAccepted = true
      }
      return true
    },
    isAccepted: () => isAccepted,
  }
}

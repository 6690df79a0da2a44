import type { Followed } from './stream.js'
import type { FollowedMessage } from './stream-messages.js'
import type {
  BreadthResult,
  LiveBreadthRequest,
  LiveScreenRequest,
  ScreenMatch,
  ScreenProgress,
  ScreenUpdate,
} from './types.js'
import { Unread } from './unread.js'

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

type Matches = ReadonlyMap<string, ScreenMatch>

type Counted = Pick<ScreenUpdate, 'screened' | 'failed' | 'stale'>

/**
 * What a screen has found, as the difference to what was read before. Changes that were not read yet are one difference,
 * so that a slow reader takes no more memory than the matches.
 */
class UnreadMatches extends Unread<ScreenUpdate> {
  /** By symbol. */
  #found: Matches = new Map()
  #read: Matches | undefined
  #counted: Counted = { screened: 0, failed: [] }
  #isNew = false

  override get size(): number {
    return this.#isNew ? 1 : 0
  }

  /** Takes the whole state, or what has changed. */
  replace(matches: Matches, { stale, ...counted }: Partial<Counted>): void {
    this.#found = matches
    const { screened, failed } = { ...this.#counted, ...counted }
    this.#counted = { screened, failed, ...(stale && { stale }) }
    this.#isNew = true
    this.wake()
  }

  /** The matches that are left when some have come and some are gone. */
  with(come: readonly ScreenMatch[], gone: readonly string[]): Matches {
    const found = new Map(this.#found)
    for (const symbol of gone) found.delete(symbol)
    for (const match of come) found.set(match.symbol, match)
    return found
  }

  override *takeAll(): Generator<ScreenUpdate> {
    if (!this.#isNew) return
    this.#isNew = false
    const found = this.#found
    const before = this.#read
    this.#read = found
    const matches = [...found.values()]
    const entered = matches.filter(({ symbol }) => !before?.has(symbol))
    const changed = matches.filter(match => {
      const known = before?.get(match.symbol)
      return known && JSON.stringify(known) !== JSON.stringify(match)
    })
    const left = [...(before?.keys() ?? [])].filter(symbol => !found.has(symbol))
    // The first state is an update even where nothing matches.
    if (!before || entered.length + changed.length + left.length > 0)
      yield { matches, ...this.#counted, entered, changed, left }
  }
}

/** A screen that is followed. What was read is compared with the state that the next connection begins with. */
export function liveScreen(
  request: LiveScreenRequest,
  onProgress?: (progress: ScreenProgress) => void,
): Followed<ScreenUpdate> {
  const unread = new UnreadMatches()
  return liveMarkets('screen', request, unread, onProgress, message => {
    if (message.type === 'screen_ok')
      unread.replace(new Map(message.matches.map(match => [match.symbol, match])), message)
    if (message.type === 'screen_update')
      unread.replace(unread.with([...message.entered, ...message.changed], message.left), message)
  })
}

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

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

/** A followed screen or breadth. Passes its results to `take`. Every connection begins with the whole state. */
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
 * Matches of a screen, as differences from the last state that was read. Unread changes are merged, so a slow reader
 * needs no more memory than the matches.
 */
class UnreadMatches extends Unread<ScreenUpdate> {
  /** Current matches by symbol. */
  #found: Matches = new Map()
  #read: Matches | undefined
  #counted: Counted = { screened: 0, failed: [] }
  #isNew = false

  override get size(): number {
    return this.#isNew ? 1 : 0
  }

  /** Replaces the current matches, and the counts in the message. */
  replace(matches: Matches, { stale, ...counted }: Partial<Counted>): void {
    this.#found = matches
    const { screened, failed } = { ...this.#counted, ...counted }
    this.#counted = { screened, failed, ...(stale && { stale }) }
    this.#isNew = true
    this.wake()
  }

  /** Returns the current matches after additions and removals. */
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
    // The first state is an update even if nothing matches.
    if (!before || entered.length + changed.length + left.length > 0)
      yield { matches, ...this.#counted, entered, changed, left }
  }
}

/** A followed screen. Compares the last state that was read with the first state of the next connection. */
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

/** A followed breadth. Newer values of the same candles replace unread ones. */
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

import { liveMarkets } from './live-markets.js'
import type { LiveScreenRequest, ScreenMatch, ScreenProgress, ScreenUpdate } from './screen-types.js'
import type { Followed } from './stream.js'
import { Unread } from './unread.js'

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

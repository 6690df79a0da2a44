import { timeframes } from '../../../candles/timeframe.js'
import type { Ask, PageRequest } from './provider.js'

/** Fetches bars of securities, by their spellings. More may be added to these until the first request is sent. */
type FetchBars<Bar> = (
  spellings: ReadonlySet<string>,
  request: PageRequest,
  ask: Ask,
) => Promise<ReadonlyMap<string, readonly Bar[]>>

/** Bars of several securities that are fetched together. */
interface Joined<Bar> {
  readonly spellings: Set<string>
  readonly bars: Promise<ReadonlyMap<string, readonly Bar[]>>
}

/** The most securities of a request, so that its address is not too long. */
const maxSpellings = 100
/** The most bars that are fetched together, about: five responses of Alpaca. */
const maxJoinedBars = 50_000

/** How many securities may be fetched together where each has as many bars as a time has. */
const mostOf = ({ interval, start, end }: PageRequest): number =>
  Math.max(1, Math.min(maxSpellings, Math.floor((maxJoinedBars * timeframes[interval]) / (end - start))))

/**
 * Pages of the same time and kind that are asked for while none of them was sent are fetched together, as a screen asks for those of
 * many securities. Nothing waits for that: while a request waits for its turn, others join it.
 */
export class JoinedPages<Bar> {
  readonly #waiting = new Map<string, Joined<Bar>>()

  /** `isOfOne` says whether a failure may be that of one security among several. */
  constructor(
    private readonly fetch: FetchBars<Bar>,
    private readonly isOfOne: (error: unknown) => boolean,
  ) {}

  async page(request: PageRequest, ask: Ask): Promise<readonly Bar[]> {
    const { spelling } = request
    const { spellings, bars } = this.#join(request, ask)
    try {
      return (await bars).get(spelling) ?? []
    } catch (error) {
      if (spellings.size === 1 || !this.isOfOne(error)) throw error
      return (await this.fetch(new Set([spelling]), request, ask)).get(spelling) ?? []
    }
  }

  #join(request: PageRequest, ask: Ask): Joined<Bar> {
    const { spelling, interval, start, end, adjustment, isBackground } = request
    const key = [interval, start, end, adjustment, isBackground].join()
    const open = this.#waiting.get(key)
    if (open && (open.spellings.has(spelling) || open.spellings.size < mostOf(request))) {
      open.spellings.add(spelling)
      return open
    }
    const spellings = new Set([spelling])
    let isOpen = true
    const close = () => {
      isOpen = false
      if (this.#waiting.get(key)?.spellings === spellings) this.#waiting.delete(key)
    }
    const bars = this.fetch(spellings, request, work =>
      ask(fetch => {
        close()
        return work(fetch)
      }),
    )
    // It may fail before its turn.
    bars.then(close, close)
    const joined: Joined<Bar> = { spellings, bars }
    if (isOpen) this.#waiting.set(key, joined)
    return joined
  }
}

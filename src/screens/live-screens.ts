import { busy, internal, isRefusal, type Refusal } from '../contract/refusals.js'
import { tooManyLiveScreens } from '../contract/screen-refusals.js'
import { Counts } from '../runtime/groups.js'
import { pause } from '../runtime/pause.js'
import type { BreadthState, Breadths } from './breadth/breadths.js'
import type { BreadthRequest } from './breadth/request.js'
import type { ScannedRequest, ScreenRequest } from './request.js'
import type { Scan } from './scan.js'
import type { Screener, ScreenState } from './screener.js'

/** Live screens of one account at a time, and of all accounts: each is evaluated every second. */
const maxLiveScreensPerAccount = 5
const maxLiveScreens = 50

/** Milliseconds between two evaluations of a live screen, and between two messages about its first scan. */
const intervalMs = 1000
/** Seconds after which a live screen may be asked for that was refused because there are too many. */
const retrySeconds = 1

/** What is called with the progress and the results of a live screen. */
export interface ScreenListener<State = ScreenState> {
  /** Candles are being fetched for the first time: `done` of `total` markets were tried. */
  onProgress(done: number, total: number): void
  /** What the screen finds now. */
  onState(state: State): void
  /** The screen has ended because it cannot be had. */
  onRefusal(refusal: Refusal): void
}

/** What is found over the markets of a scan; undefined where nothing has changed. */
type Evaluate<State> = (scan: Scan) => Promise<State | undefined | Refusal>

interface Asker {
  readonly id: string
  readonly constructs: number
}

/**
 * Screens and breadths that go on: each is evaluated every second over the candles in memory. Its markets are swept again as
 * those of repeated requests are, so that an exchange is asked no more often than for these.
 */
export class LiveScreens {
  readonly #screener: Pick<Screener, 'scan' | 'state'>
  readonly #breadths: Pick<Breadths, 'live'>
  readonly #onBug: (error: unknown) => void
  readonly #byAccount = new Counts()
  #count = 0

  constructor(
    screener: Pick<Screener, 'scan' | 'state'>,
    breadths: Pick<Breadths, 'live'>,
    onBug: (error: unknown) => void,
  ) {
    this.#screener = screener
    this.#breadths = breadths
    this.#onBug = onBug
  }

  get size(): number {
    return this.#count
  }

  /** Begins a live screen; the answer ends it. A refusal where there are too many. */
  follow(request: ScreenRequest, asker: Asker, listener: ScreenListener): (() => void) | Refusal {
    return this.#follow(request, asker, listener, scan => this.#screener.state(request, scan, asker.id))
  }

  /** Begins a live breadth, as `follow` does; its listener is called where something has changed. */
  followBreadth(
    request: BreadthRequest,
    asker: Asker,
    listener: ScreenListener<BreadthState>,
  ): (() => void) | Refusal {
    const breadth = this.#breadths.live(request, asker.id)
    return this.#follow(request, asker, listener, scan => breadth.next(scan))
  }

  #follow<State>(
    request: ScannedRequest,
    asker: Asker,
    listener: ScreenListener<State>,
    evaluate: Evaluate<State>,
  ): (() => void) | Refusal {
    if (this.#byAccount.of(asker.id) >= maxLiveScreensPerAccount)
      return tooManyLiveScreens(maxLiveScreensPerAccount)
    if (this.#count >= maxLiveScreens) return busy(retrySeconds)
    this.#add(asker.id, 1)
    const ending = new AbortController()
    void this.#run(request, asker, listener, evaluate, ending.signal)
      .catch(error => {
        this.#onBug(error)
        return internal()
      })
      .then(refusal => {
        this.#add(asker.id, -1)
        if (refusal && !ending.signal.aborted) listener.onRefusal(refusal)
      })
    return () => ending.abort()
  }

  /** Runs a screen until it is ended, or refused at its first scan. */
  async #run<State>(
    request: ScannedRequest,
    asker: Asker,
    listener: ScreenListener<State>,
    evaluate: Evaluate<State>,
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    let current: Scan | undefined
    let hasBegun = false
    while (!signal.aborted) {
      const scan = await this.#screener.scan(request, asker)
      if (isRefusal(scan)) {
        if (!current) return scan
      } else {
        if (!current) await untilEnded(scan, listener, signal)
        // The markets of one that is under way are read as the last one has left them.
        if (!current || scan.hasEnded) current = scan
      }
      if (signal.aborted) return undefined
      const state = await evaluate(current as Scan)
      if (signal.aborted) return undefined
      // Later it is tried again.
      if (isRefusal(state) && !hasBegun) return state
      if (state !== undefined && !isRefusal(state)) listener.onState(state)
      hasBegun = true
      await pause(intervalMs, signal)
    }
    return undefined
  }

  #add(account: string, change: 1 | -1): void {
    this.#count += change
    this.#byAccount.change(account, change)
  }
}

/** Waits for the end of a first scan, and tells of it every second. */
async function untilEnded(
  scan: Scan,
  { onProgress }: Pick<ScreenListener, 'onProgress'>,
  signal: AbortSignal,
): Promise<void> {
  while (!scan.hasEnded && !signal.aborted) {
    await Promise.race([scan.ended, pause(intervalMs, signal)])
    if (!scan.hasEnded && !signal.aborted) onProgress(scan.done, scan.markets.length)
  }
}

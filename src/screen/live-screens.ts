import { busy, internal, isRefusal, type Refusal } from '../contract/refusals.js'
import { tooManyLiveScreens } from '../contract/screen-refusals.js'
import { Counts } from '../runtime/counts.js'
import { pause } from '../runtime/pause.js'
import { maxLiveScreens, maxLiveScreensPerAccount } from './limits.js'
import type { ScreenRequest } from './request.js'
import type { Scan } from './scan.js'
import type { Screener, ScreenState } from './screener.js'

/** Milliseconds between two evaluations of a live screen, and between two messages about its first scan. */
const intervalMs = 1000
/** Seconds after which a live screen may be asked for that was refused because there are too many. */
const retrySeconds = 1

/** What is called with the progress and the results of a live screen. */
export interface ScreenListener {
  /** Candles are being fetched for the first time: `done` of `total` markets were tried. */
  onProgress(done: number, total: number): void
  /** What the screen finds now. */
  onState(state: ScreenState): void
  /** The screen has ended because it cannot be had. */
  onRefusal(refusal: Refusal): void
}

interface Asker {
  readonly id: string
  readonly constructs: number
}

/**
 * Screens that go on: each is evaluated every second over the candles in memory. Its markets are swept again as
 * those of repeated requests are, so that an exchange is asked no more often than for these.
 */
export class LiveScreens {
  readonly #screener: Pick<Screener, 'scan' | 'state'>
  readonly #onBug: (error: unknown) => void
  readonly #byAccount = new Counts()
  #count = 0

  constructor(screener: Pick<Screener, 'scan' | 'state'>, onBug: (error: unknown) => void) {
    this.#screener = screener
    this.#onBug = onBug
  }

  get size(): number {
    return this.#count
  }

  /** Begins a live screen; the answer ends it. A refusal where there are too many. */
  follow(request: ScreenRequest, asker: Asker, listener: ScreenListener): (() => void) | Refusal {
    if (this.#byAccount.of(asker.id) >= maxLiveScreensPerAccount)
      return tooManyLiveScreens(maxLiveScreensPerAccount)
    if (this.#count >= maxLiveScreens) return busy(retrySeconds)
    this.#add(asker.id, 1)
    const ending = new AbortController()
    void this.#run(request, asker, listener, ending.signal)
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
  async #run(
    request: ScreenRequest,
    asker: Asker,
    listener: ScreenListener,
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    let current: Scan | undefined
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
      const state = await this.#screener.state(request, current as Scan, asker.id)
      if (signal.aborted) return undefined
      listener.onState(state)
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
async function untilEnded(scan: Scan, { onProgress }: ScreenListener, signal: AbortSignal): Promise<void> {
  while (!scan.hasEnded && !signal.aborted) {
    await Promise.race([scan.ended, pause(intervalMs, signal)])
    if (!scan.hasEnded && !signal.aborted) onProgress(scan.done, scan.markets.length)
  }
}

import { busy, internal, isRefusal, type Refusal } from '../contract/refusals.js'
import { tooManyLiveScreens } from '../contract/screen-refusals.js'
import { Counts } from '../runtime/groups.js'
import { pause } from '../runtime/pause.js'
import type { BreadthState, Breadths } from './breadth/breadths.js'
import type { BreadthRequest } from './breadth/request.js'
import type { ScannedRequest, ScreenRequest } from './request.js'
import type { Scan } from './scan.js'
import type { Screener, ScreenState } from './screener.js'

/** Maximum number of live screens per account and in total. Each is evaluated every second. */
const maxLiveScreensPerAccount = 5
const maxLiveScreens = 50

/** Interval between evaluations of a live screen, and between progress messages of its first scan, in milliseconds. */
const intervalMs = 1000
/** Seconds after which a client may retry a live screen that was refused because there are too many. */
const retrySeconds = 1

/** Callbacks for the progress and the results of a live screen. */
export interface ScreenListener<State = ScreenState> {
  /** Called during the first scan: `done` of `total` markets were tried. */
  onProgress(done: number, total: number): void
  /** Called with the current result. */
  onState(state: State): void
  /** Called if the screen has ended with a refusal. */
  onRefusal(refusal: Refusal): void
}

/** Evaluates the markets of a scan; undefined if nothing has changed. */
type Evaluate<State> = (scan: Scan) => Promise<State | undefined | Refusal>

interface Asker {
  readonly id: string
  readonly constructs: number
}

/**
 * Live screens and breadths, each evaluated every second over the candles in memory. Markets are rescanned as for
 * repeated requests, so exchanges get no more requests than for those.
 */
export class LiveScreens {
  readonly #byAccount = new Counts()

  constructor(
    private readonly screener: Pick<Screener, 'scan' | 'state'>,
    private readonly breadths: Pick<Breadths, 'live'>,
    private readonly onBug: (error: unknown) => void,
  ) {}

  get size(): number {
    return this.#byAccount.total
  }

  /** Starts a live screen and returns the function that ends it. Refused if there are too many. */
  follow(request: ScreenRequest, asker: Asker, listener: ScreenListener): (() => void) | Refusal {
    return this.#follow(request, asker, listener, scan => this.screener.state(request, scan, asker.id))
  }

  /** Starts a live breadth like `follow`. Its listener is called only after changes. */
  followBreadth(
    request: BreadthRequest,
    asker: Asker,
    listener: ScreenListener<BreadthState>,
  ): (() => void) | Refusal {
    const breadth = this.breadths.live(request, asker.id)
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
    if (this.size >= maxLiveScreens) return busy(retrySeconds)
    this.#byAccount.change(asker.id, 1)
    const ending = new AbortController()
    void this.#run(request, asker, listener, evaluate, ending.signal)
      .catch(error => {
        this.onBug(error)
        return internal()
      })
      .then(refusal => {
        this.#byAccount.change(asker.id, -1)
        if (refusal && !ending.signal.aborted) listener.onRefusal(refusal)
      })
    return () => ending.abort()
  }

  /** Runs a screen until it is ended, or refused at its first scan or evaluation. */
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
      const scan = await this.screener.scan(request, asker)
      if (isRefusal(scan)) {
        if (!current) return scan
      } else {
        if (!current) await untilEnded(scan, listener, signal)
        // While a new scan runs, the previous scan is used.
        if (!current || scan.hasEnded) current = scan
      }
      if (signal.aborted) return undefined
      const state = await evaluate(current as Scan)
      if (signal.aborted) return undefined
      // A later refusal is retried.
      if (isRefusal(state) && !hasBegun) return state
      if (state !== undefined && !isRefusal(state)) listener.onState(state)
      hasBegun = true
      await pause(intervalMs, signal)
    }
    return undefined
  }
}

/** Waits for the end of a first scan, and reports progress every second. */
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

import { busy, internal, isRefusal, type Refusal } from '../contract/refusals.js'
import { tooManyLiveScreens } from '../contract/screen-refusals.js'
import { Counts } from '../runtime/groups.js'
import { pause } from '../runtime/pause.js'
import type { Breadths } from './breadth/breadths.js'
import type { BreadthRequest } from './breadth/request.js'
import type { ScreenRequest } from './request.js'
import type { Scan } from './scan.js'
import {
  type Asker,
  type LiveUpdate,
  type Screener,
  type ScreenState,
  screenText,
  staleText,
} from './screener.js'

/** Maximum number of live screens per account and in total. Each is evaluated every second. */
const maxLiveScreensPerAccount = 5
const maxLiveScreens = 50

/** Interval between evaluations of a live screen, and between progress messages of its first scan, in milliseconds. */
const intervalMs = 1000
/** Seconds after which a client may retry a live screen that was refused because there are too many. */
const retrySeconds = 1

/** Callbacks for the progress and the results of a live screen or breadth. */
export interface ScreenListener {
  /** Called during the first scan: `done` of `total` markets were tried. */
  onProgress(done: number, total: number): void
  /** Called with what has changed since the last update that was sent. */
  onUpdate(update: LiveUpdate): void
  /** Called if the screen has ended with a refusal. */
  onRefusal(refusal: Refusal): void
}

export type LiveRequest =
  | { readonly kind: 'screen'; readonly request: ScreenRequest }
  | { readonly kind: 'breadth'; readonly request: BreadthRequest }

/** A live screen: evaluates the markets of a scan, and tracks the sent matches. */
export class LiveScreen {
  #sent: ScreenState['matches'] | undefined

  constructor(
    private readonly screener: Pick<Screener, 'state'>,
    private readonly request: ScreenRequest,
    private readonly accountId: string,
  ) {}

  /** All matches, or the changes since the last sent update; undefined if nothing has changed. */
  async next(scan: Scan): Promise<LiveUpdate | undefined> {
    const state = await this.screener.state(this.request, scan, this.accountId)
    const text = this.#sent ? changesOf(this.#sent, state) : screenText(state)
    const sent = () => {
      this.#sent = state.matches
    }
    return text === undefined ? undefined : { isWhole: this.#sent === undefined, text, sent }
  }
}

/** Changes of a live screen since the matches `before`; undefined if nothing has changed. */
function changesOf(before: ScreenState['matches'], { matches, stale }: ScreenState): string | undefined {
  const entered: string[] = []
  const changed: string[] = []
  for (const [symbol, text] of matches) {
    const known = before.get(symbol)
    if (known === undefined) entered.push(text)
    else if (known !== text) changed.push(text)
  }
  const left = [...before.keys()].filter(symbol => !matches.has(symbol))
  if (entered.length + changed.length + left.length === 0) return undefined
  return `"entered":[${entered.join(',')}],"changed":[${changed.join(',')}],"left":${JSON.stringify(left)}${staleText(stale)}`
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

  /** Starts a live screen or breadth and returns the function that ends it. Refused if there are too many. */
  follow(asked: LiveRequest, asker: Asker, listener: ScreenListener): (() => void) | Refusal {
    if (this.#byAccount.of(asker.id) >= maxLiveScreensPerAccount)
      return tooManyLiveScreens(maxLiveScreensPerAccount)
    if (this.size >= maxLiveScreens) return busy(retrySeconds)
    this.#byAccount.change(asker.id, 1)
    const ending = new AbortController()
    void this.#run(asked, asker, listener, ending.signal)
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
  async #run(
    { kind, request }: LiveRequest,
    asker: Asker,
    listener: ScreenListener,
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    const live =
      kind === 'breadth'
        ? this.breadths.live(request, asker.id)
        : new LiveScreen(this.screener, request, asker.id)
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
      const update = await live.next(current as Scan)
      if (signal.aborted) return undefined
      // A later refusal is retried.
      if (isRefusal(update) && !hasBegun) return update
      if (update && !isRefusal(update)) listener.onUpdate(update)
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

import type { RawReply } from '../service/client.js'
import type { StreamState } from '../service/streaming.js'
import { type Drawing, DrawingStore } from '../view/drawings.js'
import { LayoutStore } from '../view/layouts.js'
import { Signal } from '../view/signal.js'
import { PreferenceStore } from '../view/storage.js'
import { Undo } from '../view/undo.js'
import type { Market, View } from '../view/view.js'
import type { Catalogue, Description } from './catalogue.js'
import type { Status } from './status.js'

/** Everything that the page shows and that several of its parts look at. */
export class Store {
  readonly preferences = new PreferenceStore()
  readonly layouts = new LayoutStore()
  readonly drawings = new DrawingStore(() => this.layouts.open?.id ?? '')
  /** The drawing that is chosen, by its id. */
  readonly selected = new Signal<string | undefined>(undefined)
  /** A drawing that is not finished, or is being moved: it is not stored yet. */
  readonly draft = new Signal<Drawing | undefined>(undefined)
  readonly undo = new Undo()
  readonly view: Signal<View>
  readonly catalogue = new Signal<Catalogue | undefined>(undefined)
  readonly stream = new Signal<StreamState>({ kind: 'idle' })
  /** The state of the requests for candles and values. */
  readonly loading = new Signal<Status>({ kind: 'loading' })
  /** The candle that the crosshair is on; without one, the newest values are shown. */
  readonly pointed = new Signal<number | undefined>(undefined)
  /** The last reply of the service about what is on the chart. */
  readonly reply = new Signal<RawReply | undefined>(undefined)

  /** Why there are no candles before the oldest one; undefined where there may be some. */
  readonly beginning = new Signal<string | undefined>(undefined)

  constructor(view: View) {
    this.view = new Signal(view)
  }

  get market(): Market {
    return this.view.value.market
  }

  /** What a person should know: candles that do not move are not live, however new they are. */
  get status(): Status {
    const [loading, stream] = [this.loading.value, this.stream.value]
    return loading.kind === 'live' && stream.kind === 'waiting'
      ? { kind: 'reconnecting', retryAt: stream.retryAt }
      : loading
  }

  /** What is drawn on the chart now, the draft in the place of what it changes. */
  get drawn(): readonly Drawing[] {
    const draft = this.draft.value
    const stored = this.drawings.of(this.market).filter(({ id }) => id !== draft?.id)
    return draft ? [...stored, draft] : stored
  }

  describe(indicator: string): Description | undefined {
    return this.catalogue.value?.get(indicator)
  }

  change(change: Partial<View>): void {
    this.view.value = { ...this.view.value, ...change }
  }
}

import type { RawReply } from '../service/client.js'
import type { StreamState } from '../service/streaming.js'
import { type Drawing, type DrawingKind, DrawingStore } from '../view/drawings.js'
import { LayoutStore } from '../view/layouts.js'
import { Signal } from '../view/signal.js'
import { PreferenceStore } from '../view/storage.js'
import { Undo } from '../view/undo.js'
import type { Market, View } from '../view/view.js'
import type { Catalogue, Description } from './catalogue.js'
import { atTimeframe } from './page-defaults.js'
import type { Status } from './status.js'

/** State of the page that several of its parts read. */
export class Store {
  readonly preferences = new PreferenceStore()
  readonly layouts = new LayoutStore()
  readonly drawings = new DrawingStore(() => this.layouts.open?.id ?? '')
  /** Id of the selected drawing. */
  readonly selected = new Signal<string | undefined>(undefined)
  /** An unfinished or moving drawing, which is not stored yet. */
  readonly draft = new Signal<Drawing | undefined>(undefined)
  /** The kind of the drawing whose points are being chosen. */
  readonly placing = new Signal<DrawingKind | undefined>(undefined)
  readonly undo = new Undo()
  readonly view: Signal<View>
  readonly catalogue = new Signal<Catalogue | undefined>(undefined)
  readonly stream = new Signal<StreamState>({ kind: 'idle' })
  /** The state of the requests for candles and values. */
  readonly loading = new Signal<Status>({ kind: 'loading' })
  /** The candle under the crosshair; undefined shows the newest values. */
  readonly pointed = new Signal<number | undefined>(undefined)
  /** The last reply of the service about the contents of the chart. */
  readonly reply = new Signal<RawReply | undefined>(undefined)

  /** Reason why there are no candles before the oldest one; undefined if there may be some. */
  readonly beginning = new Signal<string | undefined>(undefined)

  constructor(view: View) {
    this.view = new Signal(view)
  }

  get market(): Market {
    return this.view.value.market
  }

  /** The status to show: candles without updates are not live, however new they are. */
  get status(): Status {
    const [loading, stream] = [this.loading.value, this.stream.value]
    return loading.kind === 'live' && stream.kind === 'waiting'
      ? { kind: 'reconnecting', retryAt: stream.retryAt }
      : loading
  }

  /** The drawings to show; the draft replaces the drawing that it changes. */
  get drawn(): readonly Drawing[] {
    const draft = this.draft.value
    const stored = this.drawings.of(this.market).filter(({ id }) => id !== draft?.id)
    return draft ? [...stored, draft] : stored
  }

  describe(indicator: string): Description | undefined {
    return this.catalogue.value?.get(indicator)
  }

  change(change: Partial<View>): void {
    const before = this.view.value
    const to = change.market?.timeframe ?? before.market.timeframe
    const studies = atTimeframe(change.studies ?? before.studies, before.market.timeframe, to)
    this.view.value = { ...before, ...change, studies }
  }
}

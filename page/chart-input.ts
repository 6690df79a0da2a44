import type { CandleChart } from './chart/candle-chart.js'
import { Cursor } from './chart/cursor.js'
import type { DrawingLayer } from './chart/drawing-layer.js'
import type { Alerting } from './controls/alerting.js'
import { ChartMenu, type MenuItem } from './controls/chart-menu.js'
import { openDate } from './controls/date-dialog.js'
import { DrawingInput } from './controls/drawing-input.js'
import { savePicture } from './controls/picture-file.js'
import { placeItems } from './controls/place-items.js'
import type { Toasts } from './controls/toasts.js'
import type { Picture } from './model/picture.js'
import type { Store } from './model/store.js'

interface Parts {
  /** The element of the chart. */
  readonly host: HTMLElement
  /** Instruction for the next step while something is drawn. */
  readonly hint: HTMLElement
  readonly layer: DrawingLayer
  readonly toasts: Toasts
  readonly chart: CandleChart
  readonly store: Store
  readonly picture: Picture
  readonly alerting: Alerting
}

/** Keys and pointer events on the chart itself. */
export class ChartInput {
  readonly #parts: Parts
  readonly #cursor: Cursor
  readonly #menu: ChartMenu
  readonly drawing: DrawingInput

  constructor(parts: Parts) {
    this.#parts = parts
    this.#cursor = new Cursor(parts.chart)
    this.#menu = new ChartMenu(() => parts.host.focus())
    this.drawing = new DrawingInput({ ...parts, cursor: this.#cursor })
    parts.host.after(this.#menu.element)
    parts.host.addEventListener('keydown', event => this.#onKey(event))
    parts.host.addEventListener('contextmenu', event => this.#openMenu(event))
  }

  /** Handles keys while the chart has the focus: they work even if keys of one letter are switched off. */
  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (this.drawing.onKey(event)) {
      event.preventDefault()
      return
    }
    const acts: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.#step(-1),
      ArrowRight: () => this.#step(1),
      '+': () => this.#cursor.zoom(1.25),
      '-': () => this.#cursor.zoom(0.8),
      Escape: () => this.#leave(),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  /** Opens the menu of a place: that of the pointer, or that of the crosshair after a key. */
  #openMenu(event: MouseEvent): void {
    event.preventDefault()
    const { host, chart, store, picture, alerting } = this.#parts
    const { drawing } = this
    const { left, top } = host.getBoundingClientRect()
    // After a key, the event has a place in the middle of the element, or none, and no button.
    const isPointed = event.button === 2 || (event as PointerEvent).pointerType === 'touch'
    const { x, y } = isPointed ? { x: event.clientX - left, y: event.clientY - top } : this.#cursor.position
    const items = placeItems(this.#cursor.placeAt(x, y), {
      drawing: drawing.at(x, y)?.drawing,
      onAdd: each => drawing.add(each),
      onRemove: each => drawing.remove(each),
      onLook: each => drawing.editLook(each),
      onText: each => drawing.editText(each),
      store,
      picture,
      decimals: chart.decimals,
      alert: request => void alerting.make(request),
      onDate: () => this.openDate(),
      onPicture: () => this.savePicture(),
    })
    this.#menu.open(items, x + left, y + top)
  }

  /** Shows a menu above a button. */
  openMenu(items: readonly MenuItem[], button: HTMLElement): void {
    const { right, top } = button.getBoundingClientRect()
    this.#menu.open(items, right, top - 4, true)
  }

  openDate(): void {
    openDate(this.#parts.picture.candles, time => this.#goTo(time))
  }

  savePicture(): void {
    savePicture(this.#parts.chart, this.#parts.store.market)
  }

  /** Goes to the candle of a time, after loading older candles back to that time if the service has them. */
  async #goTo(time: number): Promise<void> {
    const { chart, picture, store } = this.#parts
    for (let oldest = Number.POSITIVE_INFINITY; (picture.candles[0]?.timestamp ?? 0) > time; ) {
      const first = picture.candles[0]?.timestamp ?? 0
      // No older candles arrived.
      if (first >= oldest || store.beginning.value !== undefined) break
      oldest = first
      await picture.loadOlder()
    }
    chart.showTime(time)
  }

  /** Removes the crosshair and shows the newest values. */
  #leave(): void {
    this.#parts.chart.api.clearCrosshairPosition()
    this.#parts.store.pointed.value = undefined
  }

  #step(by: number): void {
    const { pointed } = this.#parts.store
    const timestamp = this.#cursor.step(by, pointed.value)
    if (timestamp !== undefined) pointed.value = timestamp
  }
}

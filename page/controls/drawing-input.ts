import type { CandleChart } from '../chart/candle-chart.js'
import type { ChartPlace, Cursor } from '../chart/cursor.js'
import type { DrawingLayer } from '../chart/drawing-layer.js'
import type { DrawingHit } from '../chart/drawing-shape.js'
import { placeOfTime, timeOfPlace } from '../chart/time-places.js'
import type { Store } from '../model/store.js'
import { type Drawing, type DrawingKind, drawingPoints, type Point } from '../view/drawings.js'
import { h } from './dom.js'
import { drawingNames, drawingTitle } from './drawing-names.js'
import { openLook } from './look-dialog.js'
import { openText } from './text-dialog.js'
import type { Toasts } from './toasts.js'

interface Parts {
  readonly host: HTMLElement
  /** Instruction for the next step. */
  readonly hint: HTMLElement
  readonly chart: CandleChart
  readonly layer: DrawingLayer
  readonly cursor: Cursor
  readonly store: Store
  readonly toasts: Toasts
}

/** An unfinished drawing. */
interface Placing {
  readonly kind: DrawingKind
  readonly points: readonly Point[]
  /** The study in whose pane the first point lies. */
  readonly study: string | undefined
}

/** A drawing held by the pointer: the original drawing, and the place where the pointer took it. */
interface Held extends DrawingHit {
  readonly from: ChartPlace
}

/** Distance in pixels from which a press counts as a movement. */
const slack = 4
/** Distance in pixels within which a point snaps to a price of its candle. */
const magnet = 6
/** Pixels by which a key moves a drawing up or down. */
const keyPixels = 2

/** Draws, and moves what was drawn, with the pointer and with keys. */
export class DrawingInput {
  readonly #parts: Parts
  #placing: Placing | undefined
  /** Place of the next point. */
  #pen: ChartPlace | undefined
  #held: Held | undefined
  /** Whether the press belongs to a drawing, and so does not move the chart. */
  #isTaken = false
  #pressed: { readonly x: number; readonly y: number } | undefined
  /** Id of the drawing that keys have moved last; their movements are undone together. */
  #keyed: string | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    const { host } = parts
    host.addEventListener('pointerdown', event => this.#press(event), { capture: true })
    // The library would move the chart, because it listens to these events on inner elements.
    const take = (event: Event) => {
      if (!this.#isTaken) return
      event.stopPropagation()
      event.preventDefault()
    }
    for (const name of ['mousedown', 'touchstart'])
      host.addEventListener(name, take, { capture: true, passive: false })
    addEventListener('pointermove', event => this.#move(event))
    addEventListener('pointerup', event => this.#release(event))
  }

  /** Starts a drawing at the crosshair, from where the pointer or keys move it. */
  begin(kind: DrawingKind): void {
    const { host, cursor, store } = this.#parts
    if (kind === 'visible') {
      const known = store.drawings.of(store.market).find(each => each.kind === kind)
      if (known) this.select(known.id)
      else this.add({ kind, points: [] })
      return
    }
    store.selected.value = undefined
    store.placing.value = kind
    this.#placing = { kind, points: [], study: undefined }
    this.#pen = cursor.place
    host.focus()
    host.classList.add('is-drawing')
    this.#showPen()
  }

  select(id: string): void {
    const { store, host } = this.#parts
    this.#keyed = undefined
    store.selected.value = id
    host.focus()
    const drawing = this.#selected
    if (!drawing) return
    const edit = ['Change', () => this.editText(drawing)] as const
    this.#hint(drawingNames[drawing.kind], '· arrow keys move it, Delete removes it', [
      ...(drawing.kind === 'text' ? [edit] : []),
      ['Colour', () => this.editLook(drawing)],
      ['Remove', () => this.remove(drawing)],
    ])
  }

  get #selected(): Drawing | undefined {
    const { store } = this.#parts
    return store.drawings.of(store.market).find(({ id }) => id === store.selected.value)
  }

  /** Handles a key while something is drawn or selected; returns whether the key was used. */
  onKey({ key, shiftKey }: KeyboardEvent): boolean {
    const steps: Readonly<Record<string, readonly [candles: number, pixels: number]>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -keyPixels],
      ArrowDown: [0, keyPixels],
    }
    const step = steps[key]
    const selected = this.#selected
    if (this.#placing) {
      if (step) this.#movePen(step[0] * (shiftKey ? 10 : 1), step[1] * (shiftKey ? 10 : 1))
      else if (key === 'Enter') this.#put()
      else if (key === 'Escape') this.#end()
      else return false
      return true
    }
    if (!selected) return false
    if (step) this.#moveByKey(selected, step, shiftKey)
    else if (key === 'Delete' || key === 'Backspace') this.remove(selected)
    else if (key === 'Enter' && selected.kind === 'text') this.editText(selected)
    else if (key === 'Escape') this.#deselect()
    else return false
    return true
  }

  remove({ id, kind }: Drawing): void {
    const { store, toasts } = this.#parts
    const restore = this.#restorer()
    store.drawings.remove(store.market, id)
    this.#deselect()
    toasts.showRemoval(`${drawingNames[kind]} is removed`, store.undo, restore)
  }

  editText(drawing: Drawing): void {
    openText('Text', 'Text on the chart', drawing.text ?? '', text => this.#change(drawing.id, { text }))
  }

  editLook(drawing: Drawing): void {
    const { store, chart, host } = this.#parts
    const { id, colour = -1, width, kind } = drawing
    const restore = this.#restorer()
    let isChanged = false
    openLook({
      title: drawingTitle(drawing, chart.decimals),
      labels: ['Colour'],
      look: { colours: [colour], width },
      hasWidth: kind !== 'text',
      onChange: look => {
        if (!isChanged) store.undo.push(restore)
        isChanged = true
        store.drawings.change(store.market, id, {
          colour: look.colours[0] === -1 ? undefined : look.colours[0],
          width: look.width as Drawing['width'],
        })
      },
      onClose: () => host.focus(),
    })
  }

  /** The drawing at a place of the chart in pixels. */
  at(x: number, y: number): DrawingHit | undefined {
    const { cursor, layer } = this.#parts
    const place = cursor.placeAt(x, y)
    return layer.at(place.study, x, place.y)
  }

  /** Shows the effects of keys, with buttons for people without a keyboard. */
  #hint(text: string, keys = '', acts: readonly (readonly [label: string, act: () => void])[] = []): void {
    const { hint } = this.#parts
    hint.hidden = text === ''
    hint.replaceChildren(
      h('span', { attributes: { role: 'status' } }, text, h('span', { class: 'key-hint', text: ` ${keys}` })),
      ...acts.map(([label, act]) =>
        h('button', {
          class: 'link-button',
          text: label,
          attributes: { type: 'button' },
          on: { click: act },
        }),
      ),
    )
  }

  #deselect(): void {
    this.#parts.store.selected.value = undefined
    this.#keyed = undefined
    this.#hint('')
  }

  /**
   * Returns a function that restores the present drawings and clears the selection, because the selected drawing may be
   * gone.
   */
  #restorer(): () => void {
    const { store } = this.#parts
    const restore = store.drawings.restorer(store.market)
    return () => {
      this.#deselect()
      restore()
    }
  }

  #change(id: string, change: Partial<Drawing>): void {
    const { store } = this.#parts
    store.undo.push(this.#restorer())
    store.drawings.change(store.market, id, change)
  }

  #placeOf({ clientX, clientY }: MouseEvent): ChartPlace {
    const { host, cursor } = this.#parts
    const { left, top } = host.getBoundingClientRect()
    return cursor.placeAt(clientX - left, clientY - top)
  }

  /** A place as a point, which snaps to a near price of its candle. */
  #pointOf(place: ChartPlace): Point {
    const { chart, cursor, store } = this.#parts
    const { study, time, value = 0, y } = place
    const candle =
      study === undefined && store.preferences.value.magnet
        ? chart.data[placeOfTime(chart.data, time)]
        : undefined
    const near =
      candle &&
      [candle.open, candle.high, candle.low, candle.close].find(
        price => Math.abs((chart.candles.priceToCoordinate(price) ?? Number.POSITIVE_INFINITY) - y) <= magnet,
      )
    return { time, value: near ?? cursor.round(study, value) }
  }

  #press(event: PointerEvent): void {
    this.#isTaken = false
    if (event.button !== 0) return
    const { host } = this.#parts
    this.#pressed = { x: event.clientX, y: event.clientY }
    if (this.#placing) {
      this.#isTaken = true
      this.#pen = this.#placeOf(event)
      this.#put()
      return
    }
    const { left, top } = host.getBoundingClientRect()
    const hit = this.at(event.clientX - left, event.clientY - top)
    if (hit) {
      this.#isTaken = true
      this.#held = { ...hit, from: this.#placeOf(event) }
      this.select(hit.drawing.id)
    } else if (this.#selected) this.#deselect()
  }

  #hasMoved({ clientX, clientY }: MouseEvent): boolean {
    const { x, y } = this.#pressed ?? { x: clientX, y: clientY }
    return Math.hypot(clientX - x, clientY - y) > slack
  }

  #move(event: PointerEvent): void {
    const { host, store } = this.#parts
    if (this.#placing) {
      if (!host.contains(event.target as Node)) return
      this.#pen = this.#placeOf(event)
      this.#showPen()
    } else if (this.#held) {
      const place = this.#placeOf(event)
      if (this.#hasMoved(event) && place.study === this.#held.drawing.study && place.value !== undefined)
        store.draft.value = this.#moved(this.#held, place)
    } else if (event.buttons === 0 && host.contains(event.target as Node)) {
      const { left, top } = host.getBoundingClientRect()
      const hit = this.at(event.clientX - left, event.clientY - top)
      host.classList.toggle('is-on-drawing', hit !== undefined)
    }
  }

  #release(event: PointerEvent): void {
    const { store } = this.#parts
    const { draft } = store
    // Releasing the pointer may set the second point of a drawing.
    if (this.#placing && this.#placing.points.length > 0 && this.#hasMoved(event)) this.#put()
    else if (this.#held && draft.value) {
      this.#change(draft.value.id, { points: draft.value.points })
      draft.value = undefined
    }
    this.#held = undefined
    this.#pressed = undefined
  }

  /** A held drawing, moved to the present place of the pointer. */
  #moved({ drawing, handle, from }: Held, to: ChartPlace): Drawing {
    const { chart, cursor } = this.#parts
    const { data } = chart
    if (handle !== undefined || drawing.kind === 'level')
      return {
        ...drawing,
        points: drawing.points.map((point, at) => (at === (handle ?? 0) ? this.#pointOf(to) : point)),
      }
    const candles = placeOfTime(data, to.time) - placeOfTime(data, from.time)
    const by = (to.value ?? 0) - (from.value ?? 0)
    return {
      ...drawing,
      points: drawing.points.map(({ time, value }) => ({
        time: candles === 0 ? time : timeOfPlace(data, placeOfTime(data, time) + candles),
        value: cursor.round(drawing.study, value + by),
      })),
    }
  }

  /** Moves a selected drawing, or with Shift its last point. */
  #moveByKey(drawing: Drawing, [candles, pixels]: readonly [number, number], isEnd: boolean): void {
    const { chart, cursor, store } = this.#parts
    const { data } = chart
    const series = chart.seriesOf(drawing.study)
    if (!series) return
    const points = drawing.points.map(({ time, value }, at) => {
      if (isEnd && at < drawing.points.length - 1) return { time, value }
      const y = series.priceToCoordinate(value)
      const moved = pixels === 0 || y === null ? value : series.coordinateToPrice(y + pixels)
      return {
        time: candles === 0 ? time : timeOfPlace(data, placeOfTime(data, time) + candles),
        value: moved === value ? value : cursor.round(drawing.study, moved ?? value),
      }
    })
    if (this.#keyed === drawing.id) store.drawings.change(store.market, drawing.id, { points })
    else this.#change(drawing.id, { points })
    this.#keyed = drawing.id
  }

  #movePen(candles: number, pixels: number): void {
    const { chart, cursor } = this.#parts
    const { data } = chart
    const pen = this.#pen as ChartPlace
    const series = chart.seriesOf(pen.study)
    // The crosshair is on candles.
    const place = Math.min(data.length - 1, Math.max(0, placeOfTime(data, pen.time) + candles))
    const y = pen.y + pixels
    const value = series?.coordinateToPrice(y) ?? pen.value
    this.#pen = { ...pen, time: timeOfPlace(data, place), value, y }
    cursor.moveTo(this.#pen)
    this.#showPen()
  }

  /** Shows the drawing with its next point at the pen. */
  #showPen(): void {
    const { store } = this.#parts
    const { kind, points, study } = this.#placing as Placing
    const pen = this.#pen as ChartPlace
    const next = points.length === 0 || pen.study === study ? this.#pointOf(pen) : undefined
    const shown = next ? [...points, next] : points
    const isWhole = shown.length >= Math.min(2, drawingPoints[kind]) && kind !== 'text'
    store.draft.value = isWhole
      ? { id: 'draft', kind, study: points.length === 0 ? pen.study : study, points: shown }
      : undefined
    const which = ['its place', 'its second point', 'its width'][points.length]
    const text = `${drawingNames[kind]}: choose ${which}`
    if (this.#parts.hint.textContent?.startsWith(text)) return
    this.#hint(text, 'by a click, or by arrow keys and Enter', [['Cancel', () => this.#end()]])
  }

  /** Sets the next point at the pen. */
  #put(): void {
    const placing = this.#placing as Placing
    const pen = this.#pen as ChartPlace
    if (pen.value === undefined) return
    if (placing.points.length > 0 && pen.study !== placing.study) return
    if (placing.kind === 'profile' && pen.study !== undefined) return
    const points = [...placing.points, this.#pointOf(pen)]
    const study = placing.points.length === 0 ? pen.study : placing.study
    if (points.length < drawingPoints[placing.kind]) {
      this.#placing = { ...placing, points, study }
      this.#showPen()
      return
    }
    this.#end()
    const drawing = { kind: placing.kind, study, points }
    if (placing.kind === 'text')
      openText('Text', 'Text on the chart', '', text => this.add({ ...drawing, text }))
    else this.add(drawing)
  }

  /** Adds a drawing and selects it. */
  add(drawing: Omit<Drawing, 'id'>): void {
    const { store } = this.#parts
    store.undo.push(this.#restorer())
    this.select(store.drawings.add(store.market, drawing))
  }

  /** Drops the unfinished drawing. */
  cancel(): void {
    this.#end()
    this.#parts.host.focus()
  }

  #end(): void {
    this.#placing = undefined
    this.#parts.store.placing.value = undefined
    this.#parts.store.draft.value = undefined
    this.#parts.host.classList.remove('is-drawing')
    this.#hint('')
  }
}

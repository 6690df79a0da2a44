import type { Store } from '../model/store.js'
import { type DrawingKind, drawingPoints } from '../view/drawings.js'
import { h, setAttribute } from './dom.js'
import { drawingLabels } from './drawing-names.js'
import { icon } from './icons.js'

interface Options {
  readonly host: HTMLElement
  readonly store: Store
  readonly onBegin: (kind: DrawingKind) => void
  readonly onCancel: () => void
}

/** The tool bar at the left edge: a button for each kind of drawing, and the magnet. Arrow keys move along it. */
export class DrawingBar {
  readonly #store: Store
  readonly #kinds: ReadonlyMap<DrawingKind, HTMLButtonElement>
  readonly #magnet: HTMLButtonElement

  constructor({ host, store, onBegin, onCancel }: Options) {
    this.#store = store
    const kinds = Object.keys(drawingPoints) as DrawingKind[]
    this.#kinds = new Map(
      kinds.map(kind => {
        const act = () => (store.placing.value === kind ? onCancel() : onBegin(kind))
        return [kind, button(drawingLabels[kind], kind, act)]
      }),
    )
    this.#magnet = button('Magnet: points snap to prices of candles', 'magnet', () =>
      store.preferences.change({ magnet: !store.preferences.value.magnet }),
    )
    const buttons = [...this.#kinds.values(), this.#magnet]
    for (const each of buttons.slice(1)) each.tabIndex = -1
    host.append(...this.#kinds.values(), h('hr', { attributes: { 'aria-hidden': 'true' } }), this.#magnet)
    host.addEventListener('keydown', event => moveFocus(event, buttons))
  }

  /** Marks the kind that is being drawn, and whether the magnet is on. */
  show(): void {
    const { placing, preferences } = this.#store
    for (const [kind, element] of this.#kinds)
      setAttribute(element, 'aria-pressed', String(placing.value === kind))
    setAttribute(this.#magnet, 'aria-pressed', String(preferences.value.magnet))
  }
}

const button = (label: string, name: DrawingKind | 'magnet', act: () => void): HTMLButtonElement =>
  h(
    'button',
    {
      class: 'icon-button',
      attributes: { type: 'button', 'aria-label': label, 'aria-pressed': 'false', title: label },
      on: { click: act },
    },
    icon(name),
  )

/** Gives the focus to the next button: one of them can be reached by Tab. */
function moveFocus(event: KeyboardEvent, buttons: readonly HTMLButtonElement[]): void {
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
  const next = steps[event.key]
  const button = next === undefined ? undefined : buttons.at(next % buttons.length)
  if (!button) return
  event.preventDefault()
  event.stopPropagation()
  for (const each of buttons) each.tabIndex = each === button ? 0 : -1
  button.focus()
}

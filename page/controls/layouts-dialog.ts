import type { Store } from '../model/store.js'
import { readAddress, writeAddress } from '../view/address.js'
import { type Layout, maxNameLength } from '../view/layouts.js'
import { effect, together } from '../view/signal.js'
import { openDialog } from './dialogs.js'
import { h } from './dom.js'
import { textInput } from './field.js'
import { icon } from './icons.js'
import { openText } from './text-dialog.js'
import type { Toasts } from './toasts.js'

/** Opens a layout: its chart and its drawings. */
function openLayout(store: Store, { id, search }: Layout): void {
  // In one step, because changes of the chart are saved in the open layout.
  together(() => {
    store.layouts.choose(id)
    store.view.value = readAddress(search)
  })
}

function addLayout(store: Store, name: string): void {
  const { layouts, drawings } = store
  const before = layouts.open?.id ?? ''
  const id = layouts.add(name.slice(0, maxNameLength), writeAddress(store.view.value))
  drawings.copy(before, id)
  layouts.choose(id)
}

function removeLayout(store: Store, toasts: Toasts, { id, name }: Layout): void {
  const restoreDrawings = store.drawings.drop(id)
  const restore = store.layouts.remove(id)
  toasts.showRemoval(`The layout “${name}” is deleted`, store.undo, () => {
    restoreDrawings()
    restore()
  })
}

/** Lists the layouts of this device, to save, open, rename and delete them. */
export function openLayouts(store: Store, toasts: Toasts): void {
  const { layouts } = store
  const name = textInput({
    'aria-label': 'Name of the layout',
    placeholder: 'Name of the layout',
    required: true,
    maxlength: String(maxNameLength),
  })
  const submit = (event: Event) => {
    event.preventDefault()
    const text = name.value.trim()
    if (text === '') return
    addLayout(store, text)
    dialog.close()
    toasts.show(`The layout “${text}” is saved`)
  }
  const list = h('ul', { class: 'layout-rows' })
  const dialog = openDialog(
    'Layouts',
    h('p', {
      class: 'card-note',
      text: 'A layout is a chart with its indicators, styles and drawings. The one that is open is saved as you change it. Layouts stay on this device.',
    }),
    list,
    h(
      'form',
      { class: 'key-form', on: { submit } },
      name,
      h('button', { class: 'button is-main', text: 'Save as', attributes: { type: 'submit' } }),
    ),
  )
  const rows = () => {
    const leave = () => {
      layouts.choose('')
      dialog.close()
    }
    return [
      ...layouts.all.map(layout => layoutRow(layout, store, toasts, dialog)),
      ...(layouts.open ? [h('li', {}, button('Leave the layout', leave))] : []),
    ]
  }
  const end = effect(() => {
    list.replaceChildren(...rows())
    const current = list.querySelector<HTMLElement>('[aria-current="true"]') ?? list.querySelector('button')
    // The focused element may be gone.
    ;(current ?? name).focus()
  })
  dialog.addEventListener('close', end)
  list.addEventListener('keydown', event => moveFocus(list, event))
}

/** Moves the focus up and down between layouts. */
function moveFocus(list: HTMLElement, event: KeyboardEvent): void {
  const buttons = [...list.querySelectorAll<HTMLElement>('.layout-name')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || at < 0) return
  event.preventDefault()
  buttons.at((at + step) % buttons.length)?.focus()
}

const button = (text: string, act: () => void) =>
  h('button', { class: 'layout-name', text, attributes: { type: 'button' }, on: { click: act } })

function layoutRow(layout: Layout, store: Store, toasts: Toasts, dialog: HTMLDialogElement): HTMLElement {
  const { id, name, search } = layout
  const { symbol, timeframe } = readAddress(search).market
  const open = button(name, () => {
    dialog.close()
    openLayout(store, layout)
  })
  open.append(h('small', { text: `${symbol} ${timeframe}` }))
  open.setAttribute('aria-current', String(store.layouts.open?.id === id))
  const tool = (label: string, shape: 'pencil' | 'close', act: () => void) =>
    h(
      'button',
      {
        class: 'tool',
        attributes: { type: 'button', 'aria-label': `${label} the layout ${name}`, title: label },
        on: { click: act },
      },
      icon(shape),
    )
  const rename = (text: string) => store.layouts.change(id, { name: text.slice(0, maxNameLength) })
  return h(
    'li',
    {},
    open,
    tool('Rename', 'pencil', () => openText('Rename the layout', 'Name', name, rename)),
    tool('Delete', 'close', () => removeLayout(store, toasts, layout)),
  )
}

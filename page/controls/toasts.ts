import { h } from './dom.js'
import { icon } from './icons.js'

interface Action {
  readonly label: string
  readonly act: () => void
}

/** How long a toast is shown; while the pointer or the focus is on it, it stays. */
const shownMs = 8000
const maxToasts = 3

/** Short messages in a corner of the page that go by themselves. */
export class Toasts {
  readonly element = h('div', { class: 'toasts', attributes: { role: 'status' } })

  show(text: string, action?: Action): void {
    const close = h(
      'button',
      {
        class: 'icon-button',
        attributes: { type: 'button', 'aria-label': 'Close the message' },
        on: { click: () => toast.remove() },
      },
      icon('close'),
    )
    const act = () => {
      toast.remove()
      action?.act()
    }
    const button =
      action &&
      h('button', { class: 'button', text: action.label, attributes: { type: 'button' }, on: { click: act } })
    const toast = h('div', { class: 'toast' }, h('span', { text }), button, close)
    this.element.append(toast)
    while (this.element.childElementCount > maxToasts) this.element.firstElementChild?.remove()
    const end = () => (toast.matches(':hover, :focus-within') ? setTimeout(end, shownMs) : toast.remove())
    setTimeout(end, shownMs)
  }
}

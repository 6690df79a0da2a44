import type { Undo } from '../view/undo.js'
import { h } from './dom.js'
import { icon } from './icons.js'

interface Action {
  readonly label: string
  readonly act: () => void
}

/** Time for which a toast is shown; it stays while it has the pointer or the focus. */
const shownMs = 8000
const maxToasts = 3

/** Short messages in a corner of the page that disappear by themselves. */
export class Toasts {
  readonly element = h('div', { class: 'toasts', attributes: { role: 'status' } })

  /** Shows a message. The result removes it. */
  show(text: string, action?: Action): () => void {
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
    return () => toast.remove()
  }

  /** Reports a removal, and offers to undo it. The message disappears when a key has undone the removal. */
  showRemoval(text: string, undo: Undo, restore: () => void): void {
    let close = () => {}
    const act = undo.push(() => {
      close()
      restore()
    })
    close = this.show(text, { label: 'Undo', act })
  }
}

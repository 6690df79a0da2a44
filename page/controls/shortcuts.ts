import { isTyping } from './dom.js'

export type Actions = Readonly<Record<string, (() => void) | undefined>>

/** Runs what belongs to a key, unless someone types a text, or a dialog is open. */
export function listenForKeys(actions: Actions, areOn: () => boolean): void {
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (!areOn() || isTyping(event.target) || document.querySelector('dialog[open]')) return
    const act = actions[event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
}

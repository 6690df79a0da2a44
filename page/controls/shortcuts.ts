import { isTyping } from './dom.js'

export type Actions = Readonly<Record<string, (() => void) | undefined>>

/**
 * Runs the action of a key, unless someone types a text, or a dialog is open. A field in `cover`, which requests an API key,
 * receives typed and pasted text instead. Ctrl+Z and Cmd+Z have the action of `z`, even if keys of one letter are off.
 */
export function listenForKeys(actions: Actions, areOn: () => boolean, cover: HTMLElement): void {
  const field = () => (cover.hidden ? null : cover.querySelector('input'))
  document.addEventListener('keydown', event => {
    if (event.altKey || event.defaultPrevented) return
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== 'z' || event.shiftKey) return
      event.preventDefault()
      actions.z?.()
      return
    }
    if (field()) {
      if (event.key.length === 1) field()?.focus()
      return
    }
    const act = areOn() ? actions[event.key] : undefined
    if (!act) return
    event.preventDefault()
    act()
  })
  document.addEventListener('paste', event => {
    const input = isTyping(event.target) || document.querySelector('dialog[open]') ? null : field()
    if (!input) return
    event.preventDefault()
    input.value = event.clipboardData?.getData('text').trim() ?? ''
    input.focus()
  })
}

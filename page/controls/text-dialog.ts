import { openDialog } from './dialogs.js'
import { h } from './dom.js'
import { textInput } from './field.js'

/** Opens a dialog for a line of text; `onText` is called with a text that is not empty. */
export function openText(title: string, label: string, text: string, onText: (text: string) => void): void {
  const input = textInput({ 'aria-label': label, placeholder: label, required: true, maxlength: '200' })
  input.value = text
  const submit = (event: Event) => {
    event.preventDefault()
    const written = input.value.trim()
    dialog.close()
    if (written !== '') onText(written)
  }
  const save = h('button', { class: 'button is-main', text: 'Save', attributes: { type: 'submit' } })
  const dialog = openDialog(title, h('form', { class: 'key-form', on: { submit } }, input, save))
  input.select()
}

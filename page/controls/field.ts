import { h, newId } from './dom.js'

/** A text field whose value applies while it is typed. */
export const textInput = (attributes: Readonly<Record<string, string | boolean>>): HTMLInputElement =>
  h('input', {
    attributes: {
      type: 'text',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      ...attributes,
    },
  })

/** A control of a form with its label, and a hint below it. The form's name is the prefix of the CSS class. */
export function field(form: string, label: string, control: HTMLElement, hint?: string): HTMLElement {
  control.id = newId(form)
  const hintId = newId('hint')
  if (hint) control.setAttribute('aria-describedby', hintId)
  return h(
    'div',
    { class: `field ${form}-${label.toLowerCase()}` },
    h('label', { text: label, attributes: { for: control.id } }),
    control,
    hint !== undefined && h('span', { class: 'field-hint', text: hint, attributes: { id: hintId } }),
  )
}

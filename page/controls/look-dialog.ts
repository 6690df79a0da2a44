import { paletteSize } from '../chart/slots.js'
import { lineWidths } from '../view/drawings.js'
import { openDialog } from './dialogs.js'
import { h, newId } from './dom.js'

/** The colours and the width that a person may change. */
export interface Look {
  /** Palette places; -1 for colours that were not chosen. */
  readonly colours: readonly number[]
  readonly width: number | undefined
}

interface Options {
  readonly title: string
  /** The names of the outputs with each colour. */
  readonly labels: readonly string[]
  readonly look: Look
  /** Whether the width of lines can be chosen. */
  readonly hasWidth: boolean
  readonly onChange: (look: Look) => void
  readonly onClose: () => void
}

/** A choice of one of several, as a row of buttons. */
function choice<Value>(
  label: string,
  options: readonly { readonly value: Value; readonly name: string; readonly class: string }[],
  chosen: Value,
  onChange: (value: Value) => void,
): HTMLElement {
  const name = newId('look')
  return h(
    'fieldset',
    { class: 'look' },
    h('legend', { text: label }),
    ...options.map(({ value, name: text, class: className }) =>
      h(
        'label',
        { class: `swatch ${className}`, attributes: { title: text } },
        h('input', {
          attributes: { type: 'radio', name, 'aria-label': text, checked: value === chosen },
          on: { change: () => onChange(value) },
        }),
      ),
    ),
  )
}

const colourNames = ['Violet', 'Teal', 'Pink', 'Yellow', 'Grey', 'Green', 'Red', 'Blue']

/** Opens a dialog for the colours and the width of something, whose changes are visible at once. */
export function openLook({ title, labels, look, hasWidth, onChange, onClose }: Options): void {
  let { colours, width } = look
  const swatches = [
    { value: -1, name: 'Automatic', class: 'is-automatic' },
    ...Array.from({ length: paletteSize }, (_, at) => ({
      value: at,
      name: colourNames[at] ?? '',
      class: `is-colour-${at + 1}`,
    })),
  ]
  const widths = [
    { value: undefined, name: 'Usual width', class: 'is-automatic' },
    ...lineWidths.map(each => ({ value: each, name: `${each} px`, class: `is-width-${each}` })),
  ]
  const rows = labels.map((label, at) =>
    choice(label, swatches, colours[at] ?? -1, place => {
      colours = labels.map((_, each) => (each === at ? place : (colours[each] ?? -1)))
      onChange({ colours, width })
    }),
  )
  const widthRow = choice('Width', widths, width as (typeof widths)[number]['value'], chosen => {
    width = chosen
    onChange({ colours, width })
  })
  const dialog = openDialog(title, ...rows, hasWidth && widthRow)
  dialog.classList.add('is-beside')
  dialog.addEventListener('close', onClose)
  dialog.querySelector<HTMLElement>(':checked')?.focus()
}

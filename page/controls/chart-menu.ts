import { h } from './dom.js'

export interface MenuItem {
  readonly label: string
  readonly act: () => void
}

/** A list of what can be done at a place of the chart. */
export class ChartMenu {
  readonly element = h('div', {
    class: 'menu',
    attributes: { role: 'menu', 'aria-label': 'Chart', hidden: true },
  })
  readonly #onClose: () => void

  constructor(onClose: () => void) {
    this.#onClose = onClose
    this.element.addEventListener('keydown', event => this.#onKey(event))
    addEventListener('pointerdown', event => {
      if (!this.element.contains(event.target as Node)) this.element.hidden = true
    })
  }

  /** Shows items at a place in pixels from the top left corner of the page. */
  open(items: readonly MenuItem[], x: number, y: number): void {
    this.element.replaceChildren(
      ...items.map(({ label, act }) =>
        h('button', {
          text: label,
          attributes: { type: 'button', role: 'menuitem' },
          on: {
            click: () => {
              this.#close()
              act()
            },
          },
        }),
      ),
    )
    this.element.hidden = false
    const { width, height } = this.element.getBoundingClientRect()
    this.element.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`
    this.element.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`
    this.element.querySelector('button')?.focus()
  }

  #close(): void {
    this.element.hidden = true
    this.#onClose()
  }

  #onKey(event: KeyboardEvent): void {
    const buttons = [...this.element.querySelectorAll('button')]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
    const next = steps[event.key]
    if (event.key === 'Escape' || event.key === 'Tab') this.#close()
    else if (next === undefined) return
    else buttons.at(next % buttons.length)?.focus()
    event.preventDefault()
    event.stopPropagation()
  }
}

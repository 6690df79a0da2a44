import { h } from './dom.js'

export interface MenuItem {
  readonly label: string
  readonly act: () => void
  /** The key with the same effect. */
  readonly key?: string
  /** Whether the item starts a group. */
  readonly begins?: boolean
}

/** A menu of the acts that are possible at a place of the chart. */
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

  /** Shows items at a place in pixels from the top left corner of the page; with `isAbove` the menu ends there. */
  open(items: readonly MenuItem[], x: number, y: number, isAbove = false): void {
    this.element.replaceChildren(...items.map(item => this.#button(item)))
    this.element.hidden = false
    const { width, height } = this.element.getBoundingClientRect()
    const [left, top] = isAbove ? [x - width, y - height] : [x, y]
    this.element.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`
    this.element.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`
    this.element.querySelector('button')?.focus()
  }

  #button({ label, act, key, begins = false }: MenuItem): HTMLElement {
    return h(
      'button',
      {
        class: begins ? 'begins' : '',
        attributes: { type: 'button', role: 'menuitem' },
        on: {
          click: () => {
            this.#close()
            act()
          },
        },
      },
      label,
      key !== undefined && h('kbd', { text: key, attributes: { 'aria-hidden': 'true' } }),
    )
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

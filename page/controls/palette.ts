import { Signal } from '../view/signal.js'
import { h, newId, setAttribute } from './dom.js'
import { icon } from './icons.js'

export interface PaletteItem {
  readonly id: string
  readonly content: readonly (Node | string)[]
  readonly pick: () => void
  /** Called for Shift and Enter. */
  readonly pickOther?: () => void
  /** Whether the palette stays open after picking the item. */
  readonly staysOpen?: boolean
  /** Called for Tab while the item is listed, whichever item is selected; the first such item counts. */
  readonly complete?: () => void
}

export interface PaletteGroup {
  readonly title: string
  readonly items: readonly PaletteItem[]
}

interface Options {
  readonly title: string
  readonly placeholder: string
  /** Effects of keys, hidden from people without a keyboard. */
  readonly keys: string
  /** Allowed input, with links to more about it. */
  readonly hint?: readonly (Node | string)[]
  /** The groups for the typed text. */
  readonly groups: (text: string) => readonly PaletteGroup[]
  /** Called for a pasted text. Returns whether it is not for the field. */
  readonly onPaste?: (text: string) => boolean
  /** Text shown if there are no groups. */
  readonly empty: (text: string) => string
}

/** A dialog with a field and a list that it filters, all of it by keyboard: the combobox pattern of ARIA. */
export class Palette {
  readonly #options: Options
  readonly #dialog: HTMLDialogElement
  readonly #input: HTMLInputElement
  readonly #list: HTMLElement
  #items: { readonly item: PaletteItem; readonly element: HTMLElement }[] = []
  #active = 0
  readonly #isOpen = new Signal(false)

  constructor(options: Options) {
    this.#options = options
    const listId = newId('list')
    this.#list = h('div', { class: 'palette-list', attributes: { role: 'listbox', id: listId } })
    this.#list.setAttribute('aria-label', options.title)
    this.#input = h('input', {
      attributes: {
        type: 'text',
        role: 'combobox',
        placeholder: options.placeholder,
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: 'false',
        enterkeyhint: 'go',
        'aria-label': options.title,
        'aria-expanded': 'true',
        'aria-controls': listId,
        'aria-autocomplete': 'list',
      },
      on: {
        input: () => this.#typed(),
        keydown: event => this.#onKey(event),
        paste: event => {
          const text = event.clipboardData?.getData('text') ?? ''
          if (options.onPaste?.(text)) event.preventDefault()
        },
      },
    })
    const close = h(
      'button',
      { class: 'icon-button', attributes: { type: 'button', 'aria-label': 'Close' } },
      icon('close'),
    )
    close.addEventListener('click', () => this.close())
    this.#dialog = h(
      'dialog',
      { class: 'palette', attributes: { 'aria-label': options.title } },
      h('div', { class: 'palette-field' }, icon('search'), this.#input, close),
      this.#list,
      h(
        'footer',
        { class: 'palette-hint' },
        h('span', { class: 'palette-keys', text: options.keys }),
        h('span', {}, ...(options.hint ?? [])),
      ),
    )
    // The event comes later: the dialog may be open again.
    this.#dialog.addEventListener('close', () => {
      this.#isOpen.value = this.#dialog.open
      if (!this.#dialog.open) this.#list.replaceChildren()
    })
    // A click outside the dialog is one on its backdrop.
    this.#dialog.addEventListener('click', event => {
      if (event.target === this.#dialog) this.close()
    })
    document.body.append(this.#dialog)
  }

  get isOpen(): boolean {
    return this.#isOpen.value
  }

  get text(): string {
    return this.#input.value
  }

  /** Position of the caret in the text. */
  get caret(): number {
    return this.#input.selectionStart ?? this.#input.value.length
  }

  /** Writes a text into the field, with the caret at a place. */
  write(text: string, caret: number): void {
    this.#input.value = text
    this.select([caret, caret])
    this.refresh()
  }

  /** Selects a part of the text. */
  select([from, to]: readonly [from: number, to: number]): void {
    this.#input.focus()
    this.#input.setSelectionRange(from, to)
  }

  open(text = ''): void {
    this.#input.value = text
    this.refresh()
    if (!this.#dialog.open) this.#dialog.showModal()
    this.#isOpen.value = true
    this.#input.focus()
  }

  /** Shows the groups again after a change of their sources. */
  refresh(): void {
    const chosen = this.#items[this.#active]?.item.id
    const groups = this.#options.groups(this.#input.value)
    this.#items = []
    const sections = groups.map(({ title, items }) => {
      const headingId = newId('group')
      const elements = items.map(item => this.#row(item))
      return h(
        'div',
        { attributes: { role: 'group', 'aria-labelledby': headingId } },
        h('div', {
          class: 'palette-title',
          text: title,
          attributes: { id: headingId, role: 'presentation' },
        }),
        ...elements,
      )
    })
    const isEmpty = this.#items.length === 0
    this.#list.replaceChildren(
      ...(isEmpty
        ? [h('p', { class: 'palette-empty', text: this.#options.empty(this.#input.value) })]
        : sections),
    )
    this.#list.scrollTop = 0
    // Keeps the selection if the list has the same item at the same position.
    this.#activate(this.#items[this.#active]?.item.id === chosen ? this.#active : 0)
  }

  #typed(): void {
    this.#active = 0
    this.refresh()
  }

  #row(item: PaletteItem): HTMLElement {
    const at = this.#items.length
    const element = h(
      'div',
      {
        class: 'palette-row',
        attributes: { role: 'option', id: newId('option') },
        on: {
          click: () => this.#pick(at),
          pointermove: () => {
            if (this.#active !== at) this.#activate(at, false)
          },
        },
      },
      ...item.content,
    )
    this.#items.push({ item, element })
    return element
  }

  #activate(at: number, scroll = true): void {
    this.#items[this.#active]?.element.setAttribute('aria-selected', 'false')
    this.#active = Math.max(0, Math.min(this.#items.length - 1, at))
    const active = this.#items[this.#active]?.element
    setAttribute(this.#input, 'aria-activedescendant', active?.id)
    active?.setAttribute('aria-selected', 'true')
    if (scroll) active?.scrollIntoView({ block: 'nearest' })
  }

  #onKey(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const count = this.#items.length
      const wraps = Math.abs(step) === 1
      this.#activate(wraps ? (this.#active + step + count) % Math.max(1, count) : this.#active + step)
    } else if (event.key === 'Tab' && !event.shiftKey) {
      const { item } = this.#items.find(each => each.item.complete) ?? {}
      if (!item?.complete) return
      event.preventDefault()
      item.complete()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const { item } = this.#items[this.#active] ?? {}
      if (event.shiftKey && item?.pickOther) {
        const at = this.#active
        item.pickOther()
        if (!this.isOpen) return
        this.refresh()
        this.#activate(at)
      } else this.#pick(this.#active)
    }
  }

  /** Closes the palette. Without an earlier focus, the browser would blur the field only with the next frame. */
  close(): void {
    this.#input.blur()
    this.#dialog.close()
  }

  #pick(at: number): void {
    const { item } = this.#items[at] ?? {}
    if (!item) return
    if (!item.staysOpen) this.close()
    item.pick()
  }
}

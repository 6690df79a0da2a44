import { Signal } from './signal.js'
import { Stored } from './storage.js'

/** A named chart, with its contents as an address. Its drawings are in the store of drawings. */
export interface Layout {
  readonly id: string
  readonly name: string
  readonly search: string
}

const maxLayouts = 100
export const maxNameLength = 60

const isLayout = (each: Partial<Layout> | null) =>
  typeof each?.id === 'string' && typeof each.name === 'string' && typeof each.search === 'string'

/** The layouts in a stored value; invalid ones are skipped. */
export const readLayouts = (stored: unknown): readonly Layout[] =>
  Array.isArray(stored) ? stored.filter(isLayout).slice(0, maxLayouts) : []

/** The layouts of this device. Changes of the chart are saved in the open one. */
export class LayoutStore {
  readonly #all = new Stored('candela.layouts', readLayouts)
  /** The id of the layout that a new tab opens; each tab may have another one open. */
  readonly #last = new Stored('candela.layout', String)
  readonly #open = new Signal(this.#last.value)

  get all(): readonly Layout[] {
    return this.#all.value
  }

  get open(): Layout | undefined {
    return this.all.find(({ id }) => id === this.#open.value)
  }

  /** Opens a layout; an empty id closes the open one. */
  choose(id: string): void {
    this.#last.value = id
    this.#open.value = id
  }

  /** Creates a layout from an address. Returns its id. */
  add(name: string, search: string): string {
    const id = String(1 + Math.max(0, ...this.all.map(each => Number(each.id) || 0)))
    this.#all.value = [...this.all, { id, name, search }].slice(-maxLayouts)
    return id
  }

  change(id: string, change: Partial<Omit<Layout, 'id'>>): void {
    this.#all.value = this.all.map(layout => (layout.id === id ? { ...layout, ...change } : layout))
  }

  /** Removes a layout. The result restores it, open if it was open. */
  remove(id: string): () => void {
    const at = this.all.findIndex(layout => layout.id === id)
    const layout = this.all[at]
    const isOpen = this.#open.value === id
    this.#all.value = this.all.filter(each => each.id !== id)
    if (isOpen) this.choose('')
    return () => {
      if (!layout) return
      this.#all.value = [...this.all.slice(0, at), layout, ...this.all.slice(at)]
      if (isOpen) this.choose(id)
    }
  }
}

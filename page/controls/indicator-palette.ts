import { drawingOf } from '../chart/drawing.js'
import type { Description } from '../model/catalogue.js'
import { findIndicators } from '../model/indicator-search.js'
import type { Store } from '../model/store.js'
import { h } from './dom.js'
import { icon, type PictureName, picture } from './icons.js'
import { Palette, type PaletteItem } from './palette.js'

interface Options {
  readonly store: Store
  readonly onPick: (indicator: string) => void
}

const maxRecent = 8

/** Which small picture shows how an indicator is drawn. */
function pictureOf(description: Description): PictureName {
  const { zone, fill, lines, marks, isOverCandles } = drawingOf(description)
  if (zone) return 'zone'
  if (fill) return 'band'
  if (lines.some(({ style }) => style === 'histogram')) return 'histogram'
  if (!isOverCandles) return 'oscillator'
  if (lines.some(({ style }) => style === 'level')) return 'levels'
  return marks.length > 0 && lines.length === 0 ? 'marks' : 'line'
}

/** The search for an indicator in the catalogue. */
export class IndicatorPalette {
  readonly #options: Options
  readonly #palette: Palette

  constructor(options: Options) {
    this.#options = options
    this.#palette = new Palette({
      title: 'Add an indicator',
      placeholder: 'rsi, bollinger, hammer, volume …',
      hint: '↑ ↓ choose · Enter add · Shift + Enter favourite · Esc close',
      groups: text => {
        const catalogue = options.store.catalogue.value
        if (!catalogue) return []
        const { favourites, recent } = options.store.preferences.value
        return findIndicators(catalogue, text, favourites, recent).map(({ title, entries }) => ({
          title,
          items: entries.map(entry => this.#item(entry)),
        }))
      },
      empty: text =>
        options.store.catalogue.value
          ? `No indicator is like “${text.trim()}”.`
          : 'The catalogue has not arrived yet.',
    })
  }

  open(): void {
    this.#palette.open()
  }

  /** Shows what there is to choose again, because the catalogue or the preferences have changed. */
  refresh(): void {
    if (this.#palette.isOpen) this.#palette.refresh()
  }

  #item(description: Description): PaletteItem {
    const { id, title, category } = description
    const { onPick } = this.#options
    const { preferences } = this.#options.store
    const isFavourite = preferences.value.favourites.includes(id)
    const toggle = () => {
      const others = preferences.value.favourites.filter(name => name !== id)
      preferences.change({ favourites: isFavourite ? others : [...others, id] })
    }
    const star = h(
      'button',
      {
        class: isFavourite ? 'icon-button star is-on' : 'icon-button star',
        attributes: { type: 'button', tabindex: -1, 'aria-hidden': 'true' },
        on: {
          click: event => {
            event.stopPropagation()
            toggle()
          },
        },
      },
      icon('star'),
    )
    return {
      id,
      label: `${title}, ${category}${isFavourite ? ', favourite' : ''}`,
      content: [
        picture(pictureOf(description)),
        h('strong', { text: title }),
        h('code', { text: id }),
        h('span', { class: 'palette-note', text: category }),
        star,
      ],
      pick: () => {
        const { recent } = preferences.value
        preferences.change({ recent: [id, ...recent.filter(name => name !== id)].slice(0, maxRecent) })
        onPick(id)
      },
      pickOther: toggle,
    }
  }
}

import { drawingOf } from '../chart/drawing.js'
import type { Description } from '../model/catalogue.js'
import { findIndicators, numberedParameters, readSearch } from '../model/indicator-search.js'
import type { Store } from '../model/store.js'
import type { Parameters } from '../view/view.js'
import { h } from './dom.js'
import { icon, type PictureName, picture } from './icons.js'
import { Palette, type PaletteGroup, type PaletteItem } from './palette.js'

interface Options {
  readonly store: Store
  readonly onPick: (indicator: string, params: Parameters) => void
  /** Nothing in the catalogue is like this: it may be a symbol. */
  readonly onSymbol: (text: string) => void
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
        const { words, numbers } = readSearch(text)
        const groups = findIndicators(catalogue, words, favourites, recent).map(({ title, entries }) => ({
          title,
          items: entries.map(entry => this.#item(entry, numberedParameters(entry, numbers))),
        }))
        return groups.length > 0 || text.trim() === '' ? groups : [this.#symbolGroup(text.trim())]
      },
      empty: () => 'The catalogue has not arrived yet.',
    })
  }

  open(): void {
    this.#palette.open()
  }

  /** Shows what there is to choose again, because the catalogue or the preferences have changed. */
  refresh(): void {
    if (this.#palette.isOpen) this.#palette.refresh()
  }

  #symbolGroup(text: string): PaletteGroup {
    const content = [icon('search'), h('strong', { text: `Search for the symbol “${text}”` })]
    const pick = () => this.#options.onSymbol(text)
    return { title: 'No indicator is like it', items: [{ id: 'symbol', content, pick }] }
  }

  #item(description: Description, params: Parameters): PaletteItem {
    const { id, title, category } = description
    const summary = Object.values(params).join(' ')
    const { onPick } = this.#options
    const { preferences } = this.#options.store
    const isFavourite = preferences.value.favourites.includes(id)
    const toggle = () => {
      const others = preferences.value.favourites.filter(name => name !== id)
      preferences.change({ favourites: isFavourite ? others : [...others, id] })
    }
    // Shift and Enter do the same: a button inside an option could not be reached.
    const star = h(
      'span',
      {
        class: isFavourite ? 'star is-on' : 'star',
        attributes: { 'aria-hidden': 'true', title: isFavourite ? 'No favourite any more' : 'Favourite' },
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
      content: [
        picture(pictureOf(description)),
        h('strong', { text: title }),
        summary !== '' && h('span', { class: 'chip', text: summary }),
        h('code', { text: id }),
        h('span', { class: 'palette-note', text: category }),
        isFavourite && h('span', { class: 'visually-hidden', text: 'favourite' }),
        star,
      ].filter(each => each !== false),
      pick: () => {
        const { recent } = preferences.value
        preferences.change({ recent: [id, ...recent.filter(name => name !== id)].slice(0, maxRecent) })
        onPick(id, params)
      },
      pickOther: toggle,
    }
  }
}

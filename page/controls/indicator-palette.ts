import { shortNumber } from '../chart/numbers.js'
import { hasOwnPane } from '../chart/shape.js'
import { type Catalogue, type Description, parameterSummary } from '../model/catalogue.js'
import { type Completion, completionsAt, isExpression, type SymbolsOf } from '../model/expression.js'
import type { ExpressionCheck, Verdict } from '../model/expression-check.js'
import {
  type AbsentIndicator,
  findAbsent,
  findIndicators,
  readSearch,
  startParameters,
} from '../model/indicator-search.js'
import { pageDefaults } from '../model/page-defaults.js'
import { isScript, type PineScript, type ScriptState } from '../model/pine-script.js'
import type { Store } from '../model/store.js'
import type { DrawingKind } from '../view/drawings.js'
import type { Parameters } from '../view/view.js'
import { h, helpLink } from './dom.js'
import { drawingLabels, drawingsNamed } from './drawing-names.js'
import { type IconName, icon, type PictureName, picture } from './icons.js'
import { Palette, type PaletteGroup, type PaletteItem } from './palette.js'

interface Options {
  readonly store: Store
  readonly check: ExpressionCheck
  readonly script: PineScript
  readonly onPick: (indicator: string, params: Parameters) => void
  /** Plots an expression; `id` is the study that it replaces. */
  readonly onExpression: (expression: string, id: string | undefined) => void
  readonly onAlert: (expression: string) => void
  readonly symbolsOf: SymbolsOf
  readonly onDraw: (kind: DrawingKind) => void
  /** Called for a text that matches nothing in the catalogue: it may be a symbol. */
  readonly onSymbol: (text: string) => void
}

const maxRecent = 8

const examples: readonly (readonly [expression: string, note: string])[] = [
  ['rsi(14) < 30', 'A condition: its candles are shaded, and it can make an alert'],
  ['close / close{ETHUSDT}', 'A formula: it is drawn as a line'],
]

/** The small picture that fits an indicator's drawing. */
function pictureOf(description: Description): PictureName {
  const kinds = new Set(description.drawing.map(({ kind }) => kind))
  if (kinds.has('zone')) return 'zone'
  if (kinds.has('area') || kinds.has('cloud')) return 'band'
  if (kinds.has('histogram')) return 'histogram'
  if (hasOwnPane(description)) return 'oscillator'
  if (kinds.has('level') || kinds.has('retracement')) return 'levels'
  const isMarks = [...kinds].every(kind => kind === 'mark' || kind === 'count')
  return isMarks ? 'marks' : 'line'
}

/** The search for an indicator in the catalogue. */
export class IndicatorPalette {
  readonly #options: Options
  readonly #palette: Palette
  /** The study whose expression is edited. */
  #edited: string | undefined
  /** The expression that is plotted once it is checked. */
  #awaited: string | undefined

  constructor(options: Options) {
    this.#options = options
    this.#palette = new Palette({
      title: 'Add an indicator',
      placeholder: 'rsi, bollinger, sma 50, rsi(14) < 30 …',
      keys: '↑ ↓ choose · Enter add · Shift + Enter favourite · Esc close',
      hint: [helpLink('What can be typed', '/expressions')],
      groups: text => this.#groups(text),
      onPaste: text => {
        if (!isScript(text)) return false
        this.#palette.write('', 0)
        void options.script.translate(text, options.store.market)
        return true
      },
      empty: () => 'The catalogue has not arrived yet.',
    })
  }

  open(): void {
    this.#edited = undefined
    this.#awaited = undefined
    this.#options.script.clear()
    this.#palette.open()
  }

  /** Opens the palette with the expression of a study, which a new expression will replace. */
  edit(id: string, expression: string): void {
    this.#edited = id
    this.#palette.open(expression)
  }

  /** Shows the choices again, because the catalogue, the preferences or the verdict have changed. */
  refresh(): void {
    if (!this.#palette.isOpen) return
    const isChecked = this.#options.check.verdict.value.kind !== 'checking'
    this.#palette.refresh()
    if (isChecked && this.#awaited !== undefined) this.#plot(this.#awaited)
  }

  #groups(text: string): readonly PaletteGroup[] {
    const { store } = this.#options
    const catalogue = store.catalogue.value
    if (!catalogue) return []
    const script = this.#options.script.state.value
    if (script !== 'none' && text === '') return this.#scriptGroups(script)
    const { favourites, recent } = store.preferences.value
    const { words, numbers } = readSearch(text, catalogue)
    const found = findIndicators(catalogue, words, favourites, recent).map(({ title, entries }) => ({
      title,
      items: entries.map(entry => {
        const isAlone = entries.every(other => other === entry || other.title !== entry.title)
        const params = startParameters(entry, numbers, pageDefaults(entry.id, store.market.timeframe))
        return this.#item(entry, params, { isAlone, isNumbered: numbers.length > 0 })
      }),
    }))
    if (isExpression(text) || this.#edited !== undefined) {
      const written = this.#expressionGroups(text.trim(), catalogue)
      // An indicator with numbers is drawn better as an indicator.
      return numbers.length > 0 && this.#edited === undefined
        ? [...found, ...written]
        : [...written, ...found]
    }
    if (text.trim() !== '') return this.#foundGroups(text.trim(), found)
    const written = {
      title: 'Conditions and formulas',
      items: examples.map(([expression, note]) => this.#writtenItem(expression, note)),
    }
    const at = found.findIndex(({ title }) => title === 'Popular') + 1
    return [...found.slice(0, at), written, ...found.slice(at)]
  }

  /** Groups of matches and of indicators that only other programs have; the search for a symbol without either. */
  #foundGroups(text: string, found: readonly PaletteGroup[]): readonly PaletteGroup[] {
    const absent = findAbsent(text).map(each => this.#absentItem(each))
    const drawn = drawingsNamed(text).map(kind => this.#drawingItem(kind))
    const groups = [
      ...found,
      ...(drawn.length > 0 ? [{ title: 'Drawing tools', items: drawn }] : []),
      ...(absent.length > 0 ? [{ title: 'Not an indicator here', items: absent }] : []),
    ]
    return groups.length > 0 ? groups : [this.#symbolGroup(text)]
  }

  /** Expressions of a pasted script, and its lines without one. */
  #scriptGroups(script: ScriptState): readonly PaletteGroup[] {
    const remark = (text: string, note: string): PaletteItem => ({
      id: `line ${text} ${note}`,
      content: lines('help', text, note),
      staysOpen: true,
      pick: () => {},
    })
    if (typeof script === 'string') return [{ title: 'Script of Pine', items: [remark('Reading …', '')] }]
    if ('fault' in script) return [{ title: 'Script of Pine', items: [remark('No script', script.fault)] }]
    const notes = (of: typeof script.refused) => of.map(({ line, text }) => remark(`line ${line}`, text))
    return [
      {
        title: script.title === '' ? 'Expressions of the script' : `Expressions of “${script.title}”`,
        items: script.expressions.map(({ line, from, title, expression }) =>
          this.#writtenItem(expression, `line ${line}: ${from}${title === '' ? '' : ` “${title}”`}`),
        ),
      },
      { title: 'Differences from Pine', items: notes(script.differences) },
      { title: 'Without an expression', items: notes(script.refused) },
    ].filter(({ items }) => items.length > 0)
  }

  #drawingItem(kind: DrawingKind): PaletteItem {
    const content = [icon(kind), h('strong', { text: drawingLabels[kind] })]
    return { id: `draw ${kind}`, content, pick: () => this.#options.onDraw(kind) }
  }

  /** An indicator that the catalogue lacks; picking it writes the expression with its values, where it has one. */
  #absentItem({ name, reason, expression }: AbsentIndicator): PaletteItem {
    return {
      id: `absent ${name}`,
      content: lines(expression === undefined ? 'help' : 'code', name, reason),
      staysOpen: true,
      pick: () => {
        if (expression !== undefined) this.#palette.write(expression, expression.length)
      },
    }
  }

  /** An item that writes an expression into the field. */
  #writtenItem(expression: string, note: string): PaletteItem {
    return {
      id: `example ${expression}`,
      content: lines('code', expression, note),
      staysOpen: true,
      pick: () => this.#palette.write(expression, expression.length),
    }
  }

  #expressionGroups(text: string, catalogue: Catalogue): readonly PaletteGroup[] {
    const { check, store, symbolsOf } = this.#options
    check.check(text, store.market)
    const isCondition = check.verdict.value.kind === 'condition' && this.#edited === undefined
    const completions = completionsAt(this.#palette.text, this.#palette.caret, catalogue, symbolsOf)
    return [
      {
        title: 'Expression',
        items: [this.#expressionItem(text), ...(isCondition ? [this.#alertItem(text)] : [])],
      },
      { title: 'Tab completes', items: completions.map(each => this.#completionItem(each)) },
    ].filter(({ items }) => items.length > 0)
  }

  #expressionItem(text: string): PaletteItem {
    const verdict = this.#options.check.verdict.value
    const isFault = verdict.kind === 'fault'
    return {
      id: 'expression',
      content: lines(isFault ? 'help' : 'indicators', text, textOf(verdict), isFault),
      staysOpen: true,
      pick: () => this.#plot(text),
    }
  }

  /** An item that creates an alert of a condition and plots it. */
  #alertItem(text: string): PaletteItem {
    return {
      id: 'alert',
      content: lines(
        'bell',
        `Alert when ${text}`,
        'Fires when it has become true at the close of a candle; you see it on this page.',
      ),
      pick: () => this.#options.onAlert(text),
    }
  }

  /** Plots an expression once it is checked; selects the fault of a refused one. */
  #plot(text: string): void {
    const verdict = this.#options.check.verdict.value
    this.#awaited = undefined
    if (text !== this.#palette.text.trim()) return
    if (verdict.kind === 'checking') this.#awaited = text
    else if (verdict.kind === 'fault') this.#palette.select(verdict.range ?? [0, text.length])
    else {
      this.#palette.close()
      this.#options.onExpression(text, this.#edited)
    }
  }

  #completionItem({ text, note, from }: Completion): PaletteItem {
    const complete = () => {
      const { text: typed, caret } = this.#palette
      this.#palette.write(typed.slice(0, from) + text + typed.slice(caret), from + text.length)
    }
    return {
      id: `completion ${text}`,
      content: [h('code', { class: 'palette-code', text }), h('span', { class: 'palette-note', text: note })],
      staysOpen: true,
      pick: complete,
      complete,
    }
  }

  #symbolGroup(text: string): PaletteGroup {
    const content = [icon('search'), h('strong', { text: `Search for the symbol “${text}”` })]
    const pick = () => this.#options.onSymbol(text)
    return { title: 'No indicator is like it', items: [{ id: 'symbol', content, pick }] }
  }

  /** `isAlone` is false where another one of the list has the same title: their descriptions say the difference. */
  #item(
    description: Description,
    params: Parameters,
    { isAlone, isNumbered }: { readonly isAlone: boolean; readonly isNumbered: boolean },
  ): PaletteItem {
    const { id, title, category } = description
    const summary = isNumbered ? parameterSummary(description, params) : ''
    const { onPick } = this.#options
    const { preferences } = this.#options.store
    const isFavourite = preferences.value.favourites.includes(id)
    const isShown = this.#options.store.view.value.studies.some(({ indicator }) => indicator === id)
    const toggle = () => {
      const others = preferences.value.favourites.filter(name => name !== id)
      preferences.change({ favourites: isFavourite ? others : [...others, id] })
    }
    // Shift and Enter have the same effect: keys could not reach a button inside an option.
    const star = h(
      'span',
      {
        class: isFavourite ? 'star is-on' : 'star',
        attributes: { 'aria-hidden': 'true', title: isFavourite ? 'Remove from favourites' : 'Favourite' },
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
        isAlone ? h('strong', { text: title }) : twoLines(title, description),
        summary !== '' && h('span', { class: 'chip', text: summary }),
        h('code', { text: id }),
        isShown && h('span', { class: 'palette-shown', text: 'on the chart' }),
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

/** A title, and below it the settings and the first sentence of an indicator, because another one has the same title. */
const twoLines = (title: string, { description = '', parameters }: Description) => {
  const settings = parameters.map(({ name }) => name).join(', ') || 'none'
  const about = `Settings: ${settings}. ${description.split(/(?<=\.)\s/)[0]}`
  return h(
    'span',
    { class: 'palette-lines' },
    h('strong', { text: title }),
    h('span', { class: 'palette-verdict', text: about }),
  )
}

/** A row of two lines: an expression, and a note about it. */
const lines = (shape: IconName, text: string, note: string, isFault = false) => [
  icon(shape),
  h(
    'span',
    { class: 'palette-lines' },
    h('code', { class: 'palette-code', text }),
    h('span', { class: isFault ? 'palette-verdict is-error' : 'palette-verdict', text: note }),
  ),
]

function textOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'checking':
      return 'Checking …'
    case 'unknown':
      return 'It could not be checked. Plot it all the same.'
    case 'fault':
      return verdict.text
    case 'number':
      return verdict.now === null
        ? 'Undefined now. Plot it.'
        : `Now ${shortNumber(verdict.now)}. Plot it as a line.`
    case 'condition':
      return `${verdict.now === null ? 'Undefined' : verdict.now ? 'True' : 'False'} now. Shade the candles where it is true.`
  }
}

import { type Description, defaultOf, type ParameterDescription } from '../model/catalogue.js'
import {
  faultsOf,
  labelOf,
  numberedChoices,
  rangeOf,
  readParameter,
  sources,
} from '../model/parameter-check.js'
import type { Parameters, Study } from '../view/view.js'
import { h, newId, setAttribute, setText } from './dom.js'
import { icon } from './icons.js'

/** Pause in typing after which a change applies. */
const debounceMs = 150

interface Options {
  readonly host: HTMLElement
  /** Parameters of a new study where they differ from the defaults of the service. */
  readonly defaults: (indicator: string) => Parameters
  readonly onChange: (id: string, params: Parameters) => void
  readonly onHide: (id: string) => void
  readonly onRemove: (id: string) => void
  readonly onClose: () => void
}

interface Field {
  readonly name: string
  readonly control: HTMLInputElement | HTMLSelectElement
  readonly fault: HTMLElement
  /** Undefined for the sources, which are lists of valid names. */
  readonly parameter: ParameterDescription | undefined
}

/** The form of one indicator, made from its entry in the catalogue. Valid input applies immediately. */
export class FormDrawer {
  readonly #options: Options
  #study: Study | undefined
  #description: Description | undefined
  #fields: Field[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #message: HTMLElement | undefined

  constructor(options: Options) {
    this.#options = options
    options.host.addEventListener('keydown', event => {
      if (event.key === 'Escape') this.close()
    })
  }

  get studyId(): string | undefined {
    return this.#study?.id
  }

  open(study: Study, description: Description): void {
    this.#apply()
    this.#study = study
    this.#description = description
    this.#render()
    this.#options.host.hidden = false
    const [first] = this.#fields
    ;(first?.control ?? this.#options.host.querySelector('button'))?.focus()
    if (first?.control instanceof HTMLInputElement) first.control.select()
  }

  close(): void {
    if (!this.#study) return
    this.#apply()
    this.#study = undefined
    this.#options.host.hidden = true
    this.#options.onClose()
  }

  /** Shows why the chart has no values for the form's parameters, such as too few candles. */
  showError(error: string | undefined): void {
    if (this.#message) setText(this.#message, error ?? '')
  }

  #render(): void {
    const { host, onHide, onRemove } = this.#options
    const { title, id, category, lookback, parameters, source, source2, description } = this
      .#description as Description
    const study = this.#study as Study
    const headingId = newId('form')
    this.#fields = []
    this.#message = h('p', { class: 'form-message', attributes: { role: 'status' } })
    const rows = [
      ...parameters.map(parameter => this.#parameterRow(parameter)),
      ...(source ? [this.#sourceRow('source')] : []),
      ...(source2 ? [this.#sourceRow('source2')] : []),
    ]
    const button = (text: string, act: () => void) =>
      h('button', { class: 'button', text, attributes: { type: 'button' }, on: { click: act } })
    host.setAttribute('aria-labelledby', headingId)
    host.replaceChildren(
      h('header', {}, h('h2', { text: title, attributes: { id: headingId } }), this.#closeButton()),
      h(
        'p',
        { class: 'form-about' },
        h('code', { text: id }),
        ` ${category}. ${lookback > 0 ? `Its first value comes after ${lookback} candles with default settings.` : 'It has a value from the first candle on.'}`,
      ),
      ...(description === undefined ? [] : [h('p', { class: 'form-about', text: description })]),
      this.#message,
      h(
        'form',
        { on: { submit: event => event.preventDefault() } },
        ...rows,
        rows.length === 0 && h('p', { class: 'form-about', text: 'This indicator has no settings.' }),
      ),
      h(
        'footer',
        {},
        rows.length > 0 && button('Reset to default', () => this.#reset()),
        button(study.isHidden ? 'Show' : 'Hide', () => {
          this.close()
          onHide(study.id)
        }),
        button('Remove', () => {
          this.close()
          onRemove(study.id)
        }),
      ),
    )
    this.#showFaults()
  }

  #closeButton(): HTMLElement {
    return h(
      'button',
      {
        class: 'icon-button',
        attributes: { type: 'button', 'aria-label': 'Close settings', title: 'Close' },
        on: { click: () => this.close() },
      },
      icon('close'),
    )
  }

  #parameterRow(parameter: ParameterDescription): HTMLElement {
    const { name, type, choices, meaning, follows, atMost, atLeast } = parameter
    const given = this.#study?.params[name]
    const numbered = numberedChoices(parameter)
    const value = String(given ?? defaultOf(parameter, this.#study?.params ?? {}))
    const options = numbered ?? choices?.map(choice => [choice, choice] as const)
    const control =
      type === 'boolean'
        ? checkbox(value === 'true')
        : options
          ? select(options, value)
          : this.#number(parameter, value)
    const range = type === 'integer' || type === 'number' ? rangeOf(parameter) : ''
    const hints = [
      !numbered && range,
      atMost && `at most ${labelOf(atMost).toLowerCase()}`,
      atLeast && `at least ${labelOf(atLeast).toLowerCase()}`,
      follows ? `follows ${labelOf(follows).toLowerCase()}` : this.#defaultHint(parameter, numbered),
      !numbered && meaning,
    ]
    return this.#row(name, control, hints.filter(Boolean).join(' · '), parameter)
  }

  /** The default of the service, after that of the page where both differ. */
  #defaultHint(parameter: ParameterDescription, numbered: ReturnType<typeof numberedChoices>): string {
    const own = this.#options.defaults(this.#study?.indicator ?? '')[parameter.name]
    const standard = shownDefault(parameter, numbered)
    return own === undefined
      ? `default ${standard}`
      : `default ${own}, as on TradingView; ${standard} in requests`
  }

  #sourceRow(name: string): HTMLElement {
    const { inputs = [] } = this.#description ?? {}
    const standard = inputs[name === 'source' ? 0 : 1] ?? 'close'
    const control = select(
      sources.map(source => [source, source]),
      String(this.#study?.params[name] ?? standard),
    )
    control.dataset.standard = standard
    return this.#row(name, control, `What it is computed from · default ${standard}`, undefined)
  }

  #row(
    name: string,
    control: HTMLInputElement | HTMLSelectElement,
    hint: string,
    parameter: ParameterDescription | undefined,
  ): HTMLElement {
    const [id, hintId, faultId] = [newId('field'), newId('hint'), newId('fault')]
    const fault = h('span', { class: 'field-fault', attributes: { id: faultId } })
    control.id = id
    control.name = name
    control.setAttribute('aria-describedby', `${hintId} ${faultId}`)
    control.addEventListener('input', () => this.#changed())
    control.addEventListener('change', () => this.#apply())
    this.#fields.push({ name, control, fault, parameter })
    const isStepped = control instanceof HTMLInputElement && control.type === 'text'
    return h(
      'div',
      { class: control.type === 'checkbox' ? 'field is-inline' : 'field' },
      h('label', { text: labelOf(name), attributes: { for: id } }),
      isStepped ? this.#stepper(control, parameter as ParameterDescription) : control,
      h('span', { class: 'field-hint', text: hint, attributes: { id: hintId } }),
      fault,
    )
  }

  #number({ type, minimum, maximum }: ParameterDescription, value: string): HTMLInputElement {
    return h('input', {
      attributes: {
        type: 'text',
        inputmode: type === 'integer' ? 'numeric' : 'decimal',
        autocomplete: 'off',
        role: 'spinbutton',
        'aria-valuemin': minimum,
        'aria-valuemax': maximum,
        'aria-valuenow': value,
        value,
      },
    })
  }

  #stepper(control: HTMLInputElement, parameter: ParameterDescription): HTMLElement {
    const step = (by: number) => {
      const { minimum = -Infinity, maximum = Infinity } = parameter
      const now = Number(control.value)
      const base = Number.isFinite(now) ? now : Number(parameter.default)
      const next = Math.min(maximum, Math.max(minimum, base + by * stepOf(parameter)))
      control.value = String(Number(next.toFixed(6)))
      this.#changed()
    }
    control.addEventListener('keydown', event => {
      const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
      if (direction === 0) return
      event.preventDefault()
      step(direction * (event.shiftKey ? 10 : 1))
    })
    const button = (text: string, by: number) =>
      h('button', {
        text,
        attributes: { type: 'button', tabindex: -1, 'aria-hidden': 'true' },
        on: { click: () => step(by) },
      })
    return h('div', { class: 'stepper' }, button('−', -1), control, button('+', 1))
  }

  #changed(): void {
    this.#showFaults()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#apply(), debounceMs)
  }

  /** The parameters in the form that differ from the defaults, and the faults. */
  #read(): { readonly params: Parameters; readonly faults: ReadonlyMap<string, string> } {
    const params: Record<string, Parameters[string]> = {}
    const faults = new Map<string, string>()
    for (const { name, control, parameter } of this.#fields) {
      const text =
        control instanceof HTMLInputElement && control.type === 'checkbox'
          ? String(control.checked)
          : control.value
      if (!parameter) {
        if (text !== control.dataset.standard) params[name] = text
        continue
      }
      const read = readParameter(parameter, text)
      if ('fault' in read) faults.set(name, read.fault)
      else if (read.value !== parameter.default || name in (this.#study?.params ?? {}))
        params[name] = read.value
    }
    const description = this.#description as Description
    // A value equal to its default is omitted, unless the default would be another one.
    for (const { name, default: standard, follows } of description.parameters)
      if (params[name] === standard && (follows === undefined || !(follows in params))) delete params[name]
    return { params, faults: new Map([...faultsOf(description, params), ...faults]) }
  }

  #showFaults(): void {
    const { faults } = this.#read()
    for (const { name, control, fault } of this.#fields) {
      const text = faults.get(name)
      setText(fault, text ? text.replace(name, labelOf(name)) : '')
      setAttribute(control, 'aria-invalid', text ? 'true' : undefined)
      if (control.getAttribute('role') === 'spinbutton') control.setAttribute('aria-valuenow', control.value)
    }
  }

  #apply(): void {
    clearTimeout(this.#timer)
    const study = this.#study
    if (!study) return
    const { params, faults } = this.#read()
    if (faults.size > 0 || JSON.stringify(params) === JSON.stringify(study.params)) return
    this.#study = { ...study, params }
    this.#options.onChange(study.id, params)
  }

  #reset(): void {
    if (!this.#study) return
    const { id, indicator } = this.#study
    const params = this.#options.defaults(indicator)
    this.#study = { ...this.#study, params }
    this.#render()
    this.#options.onChange(id, params)
  }
}

const stepOf = ({ type, default: standard, maximum = 100 }: ParameterDescription): number => {
  if (type === 'integer') return 1
  return maximum <= 1 || Math.abs(Number(standard)) < 1 ? 0.01 : 0.1
}

const shownDefault = (
  parameter: ParameterDescription,
  numbered: readonly (readonly [string, string])[] | undefined,
): string => {
  if (parameter.type === 'boolean') return parameter.default ? 'on' : 'off'
  return numbered?.find(([value]) => value === String(parameter.default))?.[1] ?? String(parameter.default)
}

const checkbox = (isOn: boolean): HTMLInputElement => {
  const element = h('input', { attributes: { type: 'checkbox' } })
  element.checked = isOn
  return element
}

const select = (options: readonly (readonly [string, string])[], value: string): HTMLSelectElement => {
  const element = h(
    'select',
    {},
    ...options.map(([each, text]) => h('option', { text, attributes: { value: each } })),
  )
  element.value = value
  return element
}

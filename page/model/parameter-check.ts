import type { Parameters, ParameterValue, Study } from '../view/view.js'
import { type Description, defaultOf, type ParameterDescription } from './catalogue.js'
import { expressionIndicator } from './expression.js'

/** The columns that `source` may name. */
export const sources = ['open', 'high', 'low', 'close', 'volume', 'hl2', 'hlc3', 'ohlc4'] as const

/** Whether a bound is so far away that no input reaches it; such bounds are not shown. */
const isFar = (bound: number | undefined) => bound === undefined || Math.abs(bound) > 1e15

/** The range of a parameter in words: `2 to 500`, `0 or more`; empty if it is unbounded. */
export function rangeOf({ minimum, maximum }: ParameterDescription): string {
  if (isFar(minimum) && isFar(maximum)) return ''
  if (isFar(maximum)) return `${minimum} or more`
  return isFar(minimum) ? `${maximum} or less` : `${minimum} to ${maximum}`
}

/** The requirement on a parameter, as the words after its name and "must be". */
export function expectationOf(parameter: ParameterDescription): string {
  switch (parameter.type) {
    case 'boolean':
      return 'on or off'
    case 'string':
      return `one of ${parameter.choices?.join(', ')}`
    default: {
      const noun = parameter.type === 'integer' ? 'a whole number' : 'a number'
      const range = rangeOf(parameter)
      if (!range) return noun
      if (parameter.choices) return `${noun} from ${range}, or one of ${parameter.choices.join(', ')}`
      return range.includes(' to ') ? `${noun} from ${range}` : `${noun}, ${range}`
    }
  }
}

/** Parses the input of a parameter: its value, or a fault in words. */
export function readParameter(
  parameter: ParameterDescription,
  text: string,
): { readonly value: ParameterValue } | { readonly fault: string } {
  const fault = { fault: `${parameter.name} must be ${expectationOf(parameter)}.` }
  const { type, minimum = -Infinity, maximum = Infinity, choices = [] } = parameter
  if (type === 'boolean') return text === 'true' || text === 'false' ? { value: text === 'true' } : fault
  if (choices.includes(text)) return { value: text }
  if (type === 'string') return fault
  const plain = text.trim().replace(',', '.')
  const value = Number(plain)
  if (plain === '' || !Number.isFinite(value) || value < minimum || value > maximum) return fault
  return type === 'integer' && !Number.isInteger(value) ? fault : { value }
}

/** The faults of the given parameters by their names: wrong values, wrong order, and unknown names. */
export function faultsOf(description: Description, given: Parameters): ReadonlyMap<string, string> {
  const faults = new Map<string, string>()
  const byName = new Map(description.parameters.map(parameter => [parameter.name, parameter]))
  for (const [name, value] of Object.entries(given)) {
    const parameter = byName.get(name)
    const isSource = (name === 'source' && description.source) || (name === 'source2' && description.source2)
    if (parameter) {
      const read = readParameter(parameter, String(value))
      if ('fault' in read) faults.set(name, read.fault)
    } else if (!isSource) {
      faults.set(name, `${description.id} has no parameter ${name}.`)
    } else if (!(sources as readonly unknown[]).includes(value)) {
      faults.set(name, `${name} must be one of ${sources.join(', ')}.`)
    }
  }
  for (const parameter of description.parameters) {
    const other = parameter.atMost === undefined ? undefined : byName.get(parameter.atMost)
    if (!other || faults.has(parameter.name) || faults.has(other.name)) continue
    const value = given[parameter.name] ?? defaultOf(parameter, given)
    const limit = given[other.name] ?? defaultOf(other, given)
    if (value <= limit) continue
    // The given parameter is the one at fault.
    if (parameter.name in given)
      faults.set(parameter.name, `${parameter.name} must be at most ${other.name} (${limit}).`)
    else faults.set(other.name, `${other.name} must be at least ${parameter.name} (${value}).`)
  }
  return faults
}

/**
 * The names of a list of numbered choices, such as `0 SMA, 1 EMA`, followed by the choices without a number; undefined if
 * the meaning is no such list.
 */
export function numberedChoices({
  type,
  meaning = '',
  choices: names = [],
}: ParameterDescription): readonly (readonly [value: string, name: string])[] | undefined {
  const choices = meaning.split(', ').map(part => /^(\d+) (.+)$/.exec(part))
  if (type !== 'integer' || choices.some(choice => choice === null)) return undefined
  const numbered = choices.map(choice => [choice?.[1] as string, choice?.[2] as string] as const)
  const others = names.slice(numbered.length)
  return [...numbered, ...others.map(name => [name, name.toUpperCase()] as const)]
}

const abbreviation = /^(ma|wma|atr|rsi)$/i

/** A parameter's name as a label: `fastPeriod` is `Fast period`, `minGapATR` is `Min gap ATR`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .map(word => {
      if (abbreviation.test(word)) return word.toUpperCase()
      return /^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()
    })
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * The reason why a study cannot be computed, as far as the catalogue knows it; the service reports faults of expressions.
 */
export function faultOfStudy(
  { indicator, params }: Study,
  description: Description | undefined,
): string | undefined {
  if (indicator === expressionIndicator) return undefined
  if (!description) return `There is no indicator ${indicator}.`
  return faultsOf(description, params).values().next().value
}

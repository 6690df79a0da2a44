import { type Param, sources, type Values } from '../catalogue/index.js'
import type { ValueFormat } from './fields.js'
import { jsonText, typedText } from './json-value.js'
import { expected, invalidValue, type Refusal } from './refusals.js'

/** Values that a parameter accepts: those of a catalogue entry, or the only value of a TA-Lib name. */
export type AcceptedValues = Param | { readonly kind: 'constant'; readonly value: number }

/** The choice of a price column instead of an input. */
export const sourceParam: Param = { kind: 'choice', default: 'close', of: sources }

const digits = /^\d+$/

export function readParameter(
  name: string,
  value: unknown,
  param: AcceptedValues,
  format: ValueFormat,
): { readonly value: Values[string] } | Refusal {
  if (param.kind === 'integer') {
    // As most values are.
    const whole = (format === 'text' && digits.test(value as string) ? Number(value) : value) as number
    if (Number.isSafeInteger(whole) && whole >= param.min && whole <= param.max) return { value: whole }
  }
  const typed = format === 'text' ? typedText(value as string) : value
  const accepted = acceptedValue(param, typed) ?? acceptedValue(param, value)
  if (accepted !== undefined) return { value: accepted }
  return invalidValue(name, quote(format === 'text' ? String(value) : jsonText(value)), acceptedText(param))
}

/** A value as calculations need it; undefined if the parameter does not accept the value. */
function acceptedValue(param: AcceptedValues, value: unknown): Values[string] | undefined {
  switch (param.kind) {
    case 'integer':
      return isWithin(param, value) && Number.isSafeInteger(value) ? value : undefined
    case 'number':
      return isWithin(param, value) ? value : undefined
    case 'average': {
      if (typeof value === 'number') return acceptedValue({ ...param, kind: 'integer', default: 0 }, value)
      // A name with a TA-Lib number is replaced by this number.
      const number = (param.of as readonly unknown[]).indexOf(value)
      return number < 0 || number > param.max ? param.of[number] : number
    }
    case 'choice':
      return param.of.find(name => name === value)
    case 'flag':
      return typeof value === 'boolean' ? value : undefined
    case 'constant':
      return value === param.value ? param.value : undefined
  }
}

const isWithin = (
  { min, max }: { readonly min: number; readonly max: number },
  value: unknown,
): value is number => typeof value === 'number' && value >= min && value <= max

function acceptedText(param: AcceptedValues): string {
  switch (param.kind) {
    case 'integer':
    case 'number':
      return expected.range(param.kind, param.min, param.max)
    case 'average':
      return `${expected.range('integer', param.min, param.max)}, or ${expected.oneOf(param.of)}`
    case 'choice':
      return expected.oneOf(param.of)
    case 'flag':
      return expected.flag
    case 'constant':
      return String(param.value)
  }
}

const maxQuoted = 60

/** Quotes the name or the value of a parameter. */
export const quote = (text: string): string =>
  text.length > maxQuoted ? `${text.slice(0, maxQuoted - 1)}…` : text

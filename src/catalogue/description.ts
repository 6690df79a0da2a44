import type { Immutable, IndicatorDescription } from '../../build/json-types.js'
import type { Param, PlacedOutput, Relation, Values } from './define.js'
import { drawingOf } from './drawing.js'
import { settledAfter } from './fading.js'
import type { Entry } from './index.js'

/** Stability: the part of the history that a value depends on, as the interface names it. */
export const stabilities = {
  finite: 'start-independent',
  fading: 'converging',
  whole: 'path-dependent',
} as const
export type Stability = (typeof stabilities)[keyof typeof stabilities]

export const stabilityOf = ({ memory }: Pick<Entry, 'memory'>): Stability =>
  stabilities[typeof memory === 'string' ? memory : 'fading']

/** Units of the numbers of an output. */
export const units = ['price', 'volume', 'time'] as const
export type Unit = (typeof units)[number]

/** Description of an indicator for callers. */
export type Description = Immutable<IndicatorDescription>
export type ParameterDescription = Description['parameters'][number]
export type OutputDescription = Description['outputs'][number]

/** The default of every parameter. */
export const defaultsOf = ({ params }: Pick<Entry, 'params'>): Values =>
  Object.fromEntries(Object.entries(params).map(([name, param]) => [name, param.default]))

function describeParameter(name: string, param: Param, relations: readonly Relation[]): ParameterDescription {
  const upper = relations.find(({ lower }) => lower === name)?.upper
  const lower = relations.find(({ upper }) => upper === name)?.lower
  const known = {
    name,
    default: param.default,
    ...(param.follows ? { follows: param.follows } : {}),
    ...(upper ? { atMost: upper } : {}),
    ...(lower ? { atLeast: lower } : {}),
  }
  switch (param.kind) {
    case 'integer':
    case 'number':
      return {
        ...known,
        type: param.kind,
        minimum: param.min,
        maximum: param.max,
        ...('meaning' in param && param.meaning ? { meaning: param.meaning } : {}),
      }
    case 'average':
      return {
        ...known,
        type: 'integer',
        minimum: param.min,
        maximum: param.max,
        choices: param.of,
        meaning: param.meaning,
      }
    case 'choice':
      return { ...known, type: 'string', choices: param.of }
    case 'flag':
      return { ...known, type: 'boolean' }
  }
}

/** The unit of the numbers of an output, with default parameters. */
function unitOf({ unit, degree }: PlacedOutput, defaults: Values): Unit | undefined {
  if (unit) return unit
  const powers = degree?.(defaults)
  if (powers?.[0] === 1 && powers[1] === 0) return 'price'
  return powers?.[0] === 0 && powers[1] === 1 ? 'volume' : undefined
}

/** The directions of texts whose codes are numbers around 0. */
function directionsOf(
  labels: Readonly<Record<number, string>>,
): Readonly<Record<string, 1 | -1>> | undefined {
  const codes = Object.entries(labels)
  if (!codes.some(([code]) => Number(code) < 0)) return undefined
  return Object.fromEntries(
    codes.flatMap(([code, text]) => (code === '0' ? [] : [[text, Number(code) > 0 ? 1 : -1]])),
  )
}

function describeOutput(output: PlacedOutput, defaults: Values): OutputDescription {
  const { name, kind } = output
  switch (output.kind) {
    case 'names':
      return { name, kind, labels: output.names }
    case 'label': {
      const directions = directionsOf(output.labels)
      return {
        name,
        kind,
        labels: [...new Set(Object.values(output.labels))],
        ...(directions ? { directions } : {}),
      }
    }
    case 'number': {
      const unit = unitOf(output, defaults)
      return { name, kind, ...(unit ? { unit } : {}) }
    }
    default:
      return { name, kind }
  }
}

/** The description of an entry in lists, documentation and the OpenAPI document. */
export function describe(entry: Entry): Description {
  const defaults = defaultsOf(entry)
  return {
    id: entry.name,
    title: entry.title,
    category: entry.category,
    parameters: Object.entries(entry.params).map(([name, param]) =>
      describeParameter(name, param, entry.relations),
    ),
    outputs: entry.outputs.map(output => describeOutput(output, defaults)),
    inputs: entry.inputs,
    source: entry.sources > 0 && !Object.hasOwn(entry.params, 'source'),
    source2: entry.sources > 1 && !Object.hasOwn(entry.params, 'source2'),
    lookback: entry.warmup(defaults),
    results: entry.results(defaults),
    stability: stabilityOf(entry),
    settled4: settledAfter(entry, defaults, 4) ?? null,
    settled8: settledAfter(entry, defaults, 8) ?? null,
    overlay: entry.overlay,
    ...(entry.scale ? { scale: entry.scale } : {}),
    drawing: drawingOf(entry),
    tier: entry.tier,
    description: entry.description,
    otherNames: entry.otherNames,
    related: entry.related,
  }
}

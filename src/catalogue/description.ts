import type { Scale, Tier } from './about.js'
import type { Input, Output, Param, Relation, Values } from './define.js'
import { settledAfter } from './fading.js'
import type { Entry } from './index.js'

/** How much of the history a value depends on, as the interface calls it. */
export const stabilities = {
  finite: 'start-independent',
  fading: 'converging',
  whole: 'path-dependent',
} as const
export type Stability = (typeof stabilities)[keyof typeof stabilities]

/** A parameter in the words of the interface. */
export interface ParameterDescription {
  readonly name: string
  readonly type: 'integer' | 'number' | 'string' | 'boolean'
  readonly default: number | string | boolean
  readonly minimum?: number
  readonly maximum?: number
  /** All that a text may be. A kind of moving average may be a number from `minimum` to `maximum` or one of these. */
  readonly choices?: readonly string[]
  /** The parameter whose value is the default when that one was given. */
  readonly follows?: string
  /** What the numbers mean. */
  readonly meaning?: string
  /** The parameter whose value is the largest that this one may have. */
  readonly atMost?: string
  /** The parameter whose value is the smallest that this one may have. */
  readonly atLeast?: string
}

/** An output in the words of the interface. */
export interface OutputDescription {
  readonly name: string
  readonly kind: Output['kind']
  /** All texts of a label. */
  readonly labels?: readonly string[]
}

/** Everything that a caller may want to know about an indicator before a request. */
export interface Description {
  readonly id: string
  readonly title: string
  readonly category: string
  readonly parameters: readonly ParameterDescription[]
  readonly outputs: readonly OutputDescription[]
  /** Columns that it reads; the first is replaced by the parameter `source`, the second by `source2`. */
  readonly inputs: readonly Input[]
  /** Whether the parameters `source` and `source2` are accepted. */
  readonly source: boolean
  readonly source2: boolean
  /** Candles before the first value, with default parameters. */
  readonly lookback: number
  /** Values that are returned where the caller gives no `results`, with default parameters. */
  readonly results: number
  readonly stability: Stability
  /**
   * Candles before the first value whose first four, or eight, digits do not depend on where the history begins, with default
   * parameters; null where there is no such number.
   */
  readonly settled4: number | null
  readonly settled8: number | null
  readonly overlay: boolean
  /** Bounds of its values and the levels at which charts draw lines, as far as there are any. */
  readonly scale?: Scale
  /** How widely it is known: 1 widely, 3 hardly. */
  readonly tier: Tier
  /** What it shows, how it is read and where it is weak. */
  readonly description?: string
  /** Names by which other libraries and charts know it. */
  readonly otherNames: readonly string[]
  /** Indicators that are alike or are read together with it. */
  readonly related: readonly string[]
}

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

const describeOutput = (output: Output): OutputDescription =>
  output.kind === 'names'
    ? { name: output.name, kind: output.kind, labels: output.names }
    : output.kind === 'label'
      ? { name: output.name, kind: output.kind, labels: [...new Set(Object.values(output.labels))] }
      : { name: output.name, kind: output.kind }

/** An entry as the lists, the documentation and the OpenAPI document show it. */
export function describe(entry: Entry): Description {
  const defaults = defaultsOf(entry)
  return {
    id: entry.name,
    title: entry.title,
    category: entry.category,
    parameters: Object.entries(entry.params).map(([name, param]) =>
      describeParameter(name, param, entry.relations),
    ),
    outputs: entry.outputs.map(describeOutput),
    inputs: entry.inputs,
    source: entry.sources > 0 && !Object.hasOwn(entry.params, 'source'),
    source2: entry.sources > 1 && !Object.hasOwn(entry.params, 'source2'),
    lookback: entry.warmup(defaults),
    results: entry.results(defaults),
    stability: stabilities[typeof entry.memory === 'string' ? entry.memory : 'fading'],
    settled4: settledAfter(entry, defaults, 4) ?? null,
    settled8: settledAfter(entry, defaults, 8) ?? null,
    overlay: entry.overlay,
    ...(entry.scale ? { scale: entry.scale } : {}),
    tier: entry.tier,
    description: entry.description,
    otherNames: entry.otherNames,
    related: entry.related,
  }
}

import type {
  OutputDescription as OutputEntry,
  ParameterDescription,
  Description as ServiceEntry,
} from '../../src/catalogue/description.js'
import type { Parameters, ParameterValue } from '../view/view.js'
import type { StudyRow, Value } from './rows.js'

export type { ParameterDescription }
/** `titles` are the titles of the indicators that an output lists by their ids. */
export type OutputDescription = OutputEntry & { readonly titles?: ReadonlyMap<string, string> }
export type Description = Omit<ServiceEntry, 'outputs'> & { readonly outputs: readonly OutputDescription[] }
/** One element of the picture of an indicator. */
export type Shape = Description['drawing'][number]

/** Every indicator of the service, by its name. */
export type Catalogue = ReadonlyMap<string, Description>

/** Reads the reply of `GET /indicators`. */
export function readCatalogue(body: unknown): Catalogue {
  const { indicators } = body as { readonly indicators: readonly Description[] }
  const titles = new Map(indicators.map(({ id, title }) => [id, title]))
  const withTitles = (output: OutputDescription) => (output.kind === 'names' ? { ...output, titles } : output)
  return new Map(indicators.map(entry => [entry.id, { ...entry, outputs: entry.outputs.map(withTitles) }]))
}

/** The value of a parameter that is not given: its default, or the value of the parameter that it follows. */
export function defaultOf(parameter: ParameterDescription, given: Parameters): ParameterValue {
  const followed = parameter.follows === undefined ? undefined : given[parameter.follows]
  return followed ?? parameter.default
}

/** A text of all parameters with their values, sorted by name: equal texts mean the same calculation. */
export function calculationKey(indicator: string, all: Parameters): string {
  const entries = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([indicator, entries])
}

/** All parameters of an indicator with their values, including defaults, as the service prints them. */
export function allParameters({ parameters }: Description, given: Parameters): Parameters {
  const known = parameters.map(parameter => [
    parameter.name,
    given[parameter.name] ?? defaultOf(parameter, given),
  ])
  return { ...given, ...Object.fromEntries(known) }
}

/** The common name: the abbreviation in the title, if it has one, or the word before an explanation. */
export function shortTitle({ id, title }: Description): string {
  const abbreviation = /\(([A-Z][A-Z0-9]{1,5})\)$/.exec(title)?.[1]
  // Other abbreviations are initials of an author, or belong to another indicator as well.
  if (abbreviation?.toLowerCase() === id) return abbreviation
  return /^(\S{2,10}) (?:–|\([^)]+\)$)/.exec(title)?.[1] ?? title
}

/** The values that distinguish a study from another one of the same indicator: `14`, or `20, 2`. */
export function parameterSummary(description: Description, given: Parameters): string {
  const shown = description.parameters
    .filter(({ name, type }) => type !== 'boolean' || name in given)
    .filter(({ name, meaning }) => meaning === undefined || name in given)
    .slice(0, 4)
    .map(parameter => String(given[parameter.name] ?? defaultOf(parameter, given)))
  return [...shown, ...['source', 'source2'].flatMap(name => given[name] ?? [])].map(String).join(' ')
}

type Arrays = Readonly<Record<string, readonly Value[]>> & { readonly timestamp: readonly number[] }

/** The rows of an indicator result of REST. A single output may have another field name. */
export function readResult({ outputs }: Description, result: unknown): StudyRow[] {
  const arrays = result as Arrays
  const columns = outputs.map(
    ({ name }) => arrays[name] ?? Object.entries(arrays).find(([field]) => field !== 'timestamp')?.[1] ?? [],
  )
  return arrays.timestamp.map((timestamp, at) => ({
    timestamp,
    values: columns.map(column => column[at] ?? null),
  }))
}

/** The row of a streaming update, in which a single output has the name of its indicator. */
export function readUpdate(
  { id, outputs }: Description,
  data: Readonly<Record<string, unknown>> & { readonly timestamp: number },
): StudyRow {
  const [only] = outputs
  const values =
    outputs.length === 1 && only ? [data[id] ?? data[only.name]] : outputs.map(({ name }) => data[name])
  return { timestamp: data.timestamp, values: values.map(value => (value ?? null) as Value) }
}

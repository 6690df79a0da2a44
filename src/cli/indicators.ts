import { existsSync, readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { formatCount } from '../candles/format-count.js'
import { type Tier, tiers } from '../catalogue/about.js'
import { type Description, describe, type ParameterDescription } from '../catalogue/description.js'
import { type Category, categories, type Entry } from '../catalogue/index.js'
import { searchCatalogue } from '../catalogue/search.js'
import { action, CommandFailure, type CommonOptions } from './failure.js'
import { parseIndicator, rangeOf } from './indicator-argument.js'
import { printResult, wrapText } from './output.js'

interface Options extends CommonOptions {
  readonly category?: Category
  readonly search?: string
  readonly tier?: `${Tier}`
}

/** `candela indicators`: lists the catalogue by category, or describes one indicator. */
export const addIndicators = (program: Command): void => {
  program
    .command('indicators')
    .description('list the indicators with their parameters and outputs, or describe one of them')
    .argument('[indicator]', 'such as rsi', parseIndicator)
    .addOption(new Option('--category <category>', 'only those of a category').argParser(parseCategory))
    .option('--search <words>', 'only indicators whose names, title, category or text have all the words')
    .addOption(
      new Option('--tier <tier>', 'only those of a tier: 1 is widely known, 3 hardly').choices(
        tiers.map(String),
      ),
    )
    .option('--json', 'as JSON')
    .action(
      action((entry: Entry | undefined, options: Options) =>
        entry ? printEntry(entry, options) : printList(options),
      ),
    )
}

/** Parses a category by the beginning of its name or of one of its words, in any case. */
function parseCategory(text: string): Category {
  const wanted = text.trim().toLowerCase()
  const names = Object.keys(categories) as Category[]
  const exact = names.filter(name => name.toLowerCase() === wanted)
  const [found, other] =
    exact.length > 0
      ? exact
      : names.filter(name => name.split(/[ -]+/).some(word => word.toLowerCase().startsWith(wanted)))
  if (found === undefined || wanted === '')
    throw new InvalidArgumentError(`There is no such category. The categories are ${names.join(', ')}.`)
  if (other !== undefined) throw new InvalidArgumentError(`This may mean ${found} or ${other}.`)
  return found
}

function printList(options: Options): void {
  const { category, search = '' } = options
  const tier = tiers.find(each => String(each) === options.tier)
  const entries = searchCatalogue({ category, tier, words: search }).toSorted(
    (a, b) => a.category.localeCompare(b.category) || a.name.localeCompare(b.name),
  )
  if (entries.length === 0 && !options.json)
    throw new CommandFailure(`No indicator has the words "${search}"`)
  printResult(entries.map(describe), options, () =>
    entries
      .flatMap((entry, at) =>
        entry.category === entries[at - 1]?.category
          ? [formatEntry(entry)]
          : [entry.category, formatEntry(entry)],
      )
      .join('\n'),
  )
}

function formatEntry({ name, title, params, outputs }: Entry): string {
  const parameters = Object.entries(params).map(
    ([key, param]) => `${key}=${param.default} (${rangeOf(param)})`,
  )
  return `  ${name.padEnd(16)} ${title}\n${' '.repeat(19)}${parameters.join(', ') || 'no parameters'} → ${outputs.map(output => output.name).join(', ')}`
}

/** Docstring of a kernel, in paragraphs. */
interface Definition {
  readonly definition: readonly string[]
  readonly source: string
}

/** Definition of an indicator, as written by the build; undefined if there is none. */
function definitionOf(name: string): Definition | undefined {
  const file = new URL('../../build/definitions.json', import.meta.url)
  if (!existsSync(file)) return undefined
  const all = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Definition>>
  return all[name]
}

const stabilityTexts: Readonly<Record<Description['stability'], string>> = {
  'start-independent': 'a value depends on the candles of its window and on nothing older',
  converging: 'older candles matter ever less',
  'path-dependent': 'a value depends on every candle since the first one',
}

function printEntry(entry: Entry, options: Options): void {
  const description = describe(entry)
  const found = definitionOf(entry.name)
  printResult({ ...description, ...found }, options, () => formatDescription(description, found))
}

function formatDescription(description: Description, found: Definition | undefined): string {
  const { id, title, category, parameters, outputs, inputs, lookback, stability } = description
  const { settled4, settled8 } = description
  const lines = [`${id}: ${title}`, `Category: ${category}`, '']
  if (description.description !== undefined) lines.push(wrapText(description.description), '')
  for (const paragraph of found?.definition ?? []) lines.push(wrapText(paragraph), '')
  lines.push(...sectionOf('Parameters', [...parameters.map(parameterLine), ...sourceLines(description)]))
  lines.push(...sectionOf('Outputs', outputs.map(outputLine)))
  lines.push(`Inputs: ${inputs.join(', ')}`)
  lines.push(...scaleLine(description))
  lines.push(
    `Warm-up: the first value comes after ${formatCount(lookback, 'candle')}, with the default parameters`,
  )
  lines.push(`Stability: ${stability}: ${stabilityTexts[stability]}`)
  if (settled8 !== null && settled8 > lookback) {
    const text = `4 digits do not depend on the start of the history after ${formatCount(settled4 as number, 'candle')}, 8 digits after ${settled8}`
    lines.push(wrapText(`Settled: ${text}, with the default parameters`))
  }
  const { otherNames, related } = description
  if (otherNames.length > 0) lines.push(wrapText(`Other names: ${otherNames.join(', ')}`))
  if (related.length > 0) lines.push(wrapText(`Related: ${related.join(', ')}`))
  if (found) lines.push(wrapText(`Source: ${found.source}`))
  lines.push('', `Try: candela compute ${id} candles.csv`)
  return lines.join('\n')
}

function scaleLine({ scale }: Description): readonly string[] {
  if (!scale) return []
  const { minimum, maximum, levels } = scale
  const bounds = minimum === undefined ? [] : [`from ${minimum} to ${maximum}`]
  return [
    `Scale: ${[...bounds, ...(levels.length > 0 ? [`${levels.length === 1 ? 'a line' : 'lines'} at ${levels.join(', ')}`] : [])].join(', ')}`,
  ]
}

const sectionOf = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [`${title}: none`, ''] : [`${title}:`, ...lines.map(line => wrapText(line, 2)), '']

function parameterLine({ name, default: value, ...parameter }: ParameterDescription): string {
  const { minimum, maximum, choices, type, meaning, atMost, atLeast, follows } = parameter
  const numbers = `${type === 'integer' ? 'integer' : 'number'} from ${minimum} to ${maximum}`
  const range = choices
    ? `${minimum === undefined ? '' : `${numbers}, or `}${choices.join(', ')}`
    : type === 'boolean'
      ? 'true, false'
      : numbers
  const notes = [
    range,
    meaning,
    atMost && `at most ${atMost}`,
    atLeast && `at least ${atLeast}`,
    follows && `as ${follows} where only that is given`,
  ]
  return `${name} = ${value} (${notes.filter(Boolean).join('; ')})`
}

function sourceLines({ source, source2, inputs }: Description): readonly string[] {
  const columns = 'open, high, low, close, volume, hl2, hlc3, ohlc4'
  return [
    ...(source ? [`source = ${inputs[0]} (${columns})`] : []),
    ...(source2 ? [`source2 = ${inputs[1]} (${columns})`] : []),
  ]
}

const kindTexts: Readonly<Record<Description['outputs'][number]['kind'], string>> = {
  number: '',
  signal: 'signal: 0 for none, negative where it is bearish',
  flag: 'true or false',
  label: 'text',
  names: 'names, separated by commas',
}

function outputLine({ name, kind, labels }: Description['outputs'][number]): string {
  if (kind === 'number') return name
  return `${name} (${kind === 'label' && labels ? labels.join(', ') : kindTexts[kind]})`
}

import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { Chart } from '../candles/charts/chart.js'
import {
  catalogue,
  type Entry,
  type Param,
  sources,
  talibConstantsOf,
  talibNamesOf,
} from '../catalogue/index.js'
import { refuseChart } from '../compute/expressions/expressions.js'
import { didYouMean } from '../contract/hints.js'
import { nearIndicators } from '../contract/near-indicators.js'
import { type IndicatorSpec, readIndicatorSpec, settledAt } from '../contract/query.js'
import { isRefusal } from '../contract/refusals.js'

export const rangeOf = (param: Param): string =>
  param.kind === 'choice'
    ? param.of.join('|')
    : param.kind === 'flag'
      ? 'true|false'
      : `${param.min}…${param.max}${param.kind === 'average' ? ` or a name such as ${param.of.at(-1)}` : ''}`

export function parseIndicator(text: string): Entry {
  const entry = catalogue.get(text.toLowerCase())
  if (entry) return entry
  const hint = didYouMean(nearIndicators(text))
  throw new InvalidArgumentError(`There is no such indicator${hint || '. candela indicators lists them.'}`)
}

/**
 * Finds the indicator in the words of a command line: the first or the last name of an indicator that does not follow an option.
 * The parameters of the indicator are options of the command. So the indicator is required before options are parsed.
 */
export function findIndicator(words: readonly string[], which: 'first' | 'last'): Entry | undefined {
  const names = words.filter(word => catalogue.has(word.toLowerCase()))
  const others = words.filter((word, at) => names.includes(word) && !/^--[^=]+$/.test(words[at - 1] ?? ''))
  const found = (others.length > 0 ? others : names).at(which === 'first' ? 0 : -1)
  return found === undefined ? undefined : catalogue.get(found.toLowerCase())
}

/** Possible texts of a parameter; empty if it is a number. */
export function valuesOf({ params, sources: count }: Entry, name: string): readonly string[] {
  const param = params[name]
  if (param?.kind === 'choice' || param?.kind === 'average') return param.of
  if (param?.kind === 'flag') return ['true', 'false']
  return !param && ['source', 'source2'].slice(0, count).includes(name) ? sources : []
}

const kebab = (name: string) => name.replace(/[A-Z]+/g, letters => `-${letters.toLowerCase()}`)

/** Names of the parameters of an indicator, including its sources. */
export function parameterNames({ params, sources: count }: Entry): readonly string[] {
  const own = Object.keys(params)
  return [...own, ...['source', 'source2'].slice(0, count).filter(name => !own.includes(name))]
}

/** Adds an option for each parameter of an indicator, in the spelling of the interface and with hyphens. */
export function addParameters(command: Command, entry: Entry): void {
  command.optionsGroup(`Parameters of ${entry.name}:`)
  for (const name of parameterNames(entry)) {
    const param = entry.params[name]
    const description = param
      ? `${rangeOf(param)}${'meaning' in param && param.meaning ? `: ${param.meaning}` : ''} (default: ${param.default})`
      : `${sources.join('|')}, instead of ${entry.inputs[name === 'source' ? 0 : 1]}`
    command.addOption(new Option(`--${name} <value>`, description))
    const spellings = [kebab(name), ...talibNamesOf(entry.name, name)].filter(each => each !== name)
    for (const each of spellings) command.addOption(new Option(`--${each} <value>`).hideHelp())
  }
  for (const name of Object.keys(talibConstantsOf(entry.name)))
    command.addOption(new Option(`--${name} <value>`).hideHelp())
  command.optionsGroup('Options:')
}

/** Adds an indicator as the last argument of a command. If the command line names it, adds options for its parameters. */
export function addIndicator(command: Command, name: '<indicator>' | '[indicator]'): void {
  command.addArgument(new Argument(name, 'such as rsi').argParser(parseIndicator))
  const words = process.argv.slice(2)
  const found = words[0] === command.name() ? findIndicator(words.slice(1), 'last') : undefined
  if (found) addParameters(command, found)
}

/** Reads the parameters, the chart and the settled digits of an indicator from `options`. An invalid option ends the command. */
export function readParameters(
  command: Command,
  entry: Entry,
  options: { readonly chart?: Chart | undefined; readonly settled?: number | undefined },
): IndicatorSpec {
  const names = [
    ...parameterNames(entry).flatMap(name => [name, ...talibNamesOf(entry.name, name)]),
    ...Object.keys(talibConstantsOf(entry.name)),
  ]
  const given: Readonly<Record<string, unknown>> = { ...options }
  const fields = new Map(
    names.filter(name => typeof given[name] === 'string').map(name => [name, given[name]]),
  )
  const spec = readIndicatorSpec(entry, fields, 'text')
  if (isRefusal(spec)) return command.error(`error: ${spec.error}`)
  const { chart, settled: digits } = options
  const settled = digits === undefined ? undefined : settledAt(spec, digits)
  if (isRefusal(settled)) return command.error(`error: ${settled.error}`)
  const wanted = { ...spec, ...(chart && { chart }), ...(settled && { settled }) }
  const unfit = refuseChart(wanted)
  return unfit ? command.error(`error: ${unfit.error}`) : wanted
}

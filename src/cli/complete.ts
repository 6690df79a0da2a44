import { type Argument, Command, type Option } from 'commander'
import { catalogue } from '../catalogue/index.js'
import { commands } from './commands.js'
import { findIndicator, valuesOf } from './indicator-argument.js'

interface Candidate {
  readonly word: string
  readonly description?: string
}

/**
 * Returns the possible words at the cursor, each followed by a tab and its description. `words` are the words up to the cursor. The
 * last of these is incomplete.
 */
export async function completionsOf(words: readonly string[]): Promise<readonly string[]> {
  const unfinished = words.at(-1) ?? ''
  const found = await candidates(words.slice(0, -1), unfinished)
  return found
    .filter(({ word }) => word.toLowerCase().startsWith(unfinished.toLowerCase()))
    .map(({ word, description }) => (description ? `${word}\t${description.replaceAll(/\s+/g, ' ')}` : word))
}

async function candidates(before: readonly string[], unfinished: string): Promise<readonly Candidate[]> {
  const [name] = before
  if (name === undefined) return Object.keys(commands).map(word => ({ word }))
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) return []
  const program = new Command()
  // Commands whose options are the parameters of an indicator read the indicator from `process.argv`.
  process.argv = [...process.argv.slice(0, 2), ...before]
  ;(await load())(program)
  const { command, words } = descend(program, before)
  const last = words.at(-1)
  const open = last === undefined ? undefined : optionOf(command, last)
  if (open && takesValue(open)) return valuesOfOption(open, before)
  if (unfinished.startsWith('-')) return optionsOf(command)
  if (command.commands.length > 0)
    return command.commands.map(each => ({ word: each.name(), description: each.description() }))
  return valuesOfArgument(command, operandsOf(command, words))
}

/** Finds the command or subcommand that the words name, and the words after its name. */
function descend(program: Command, words: readonly string[]) {
  let command = program
  let at = 0
  for (; at < words.length; at++) {
    const next = command.commands.find(each => each.name() === words[at])
    if (!next) break
    command = next
  }
  return { command, words: words.slice(at) }
}

const optionOf = (command: Command, word: string): Option | undefined =>
  command.options.find(({ long, short }) => word === long || word === short)

const takesValue = (option: Option): boolean => option.required || option.optional

const optionsOf = (command: Command): readonly Candidate[] => [
  ...command.options
    .filter(option => !option.hidden && option.long)
    .map(option => ({ word: option.long as string, description: option.description })),
  { word: '--help', description: 'display help for command' },
]

/** Words that are neither options nor their values. */
const operandsOf = (command: Command, words: readonly string[]): readonly string[] =>
  words.filter((word, at) => {
    const previous = words[at - 1]
    const open = previous === undefined ? undefined : optionOf(command, previous)
    return !word.startsWith('-') && !(open && takesValue(open))
  })

async function valuesOfOption(option: Option, before: readonly string[]): Promise<readonly Candidate[]> {
  if (option.argChoices) return option.argChoices.map(word => ({ word }))
  const entry = findIndicator(before.slice(1), before[0] === 'compute' ? 'first' : 'last')
  if (entry) return valuesOf(entry, option.attributeName()).map(word => ({ word }))
  return option.attributeName() === 'exchange' ? exchangeNames() : []
}

async function valuesOfArgument(
  command: Command,
  operands: readonly string[],
): Promise<readonly Candidate[]> {
  const expected = command.registeredArguments
  const argument: Argument | undefined = expected[operands.length] ?? expected.at(-1)
  if (!argument || (operands.length >= expected.length && !argument.variadic)) return []
  if (argument.argChoices) return argument.argChoices.map(word => ({ word }))
  if (argument.name() === 'indicator')
    return [...catalogue.values()].map(({ name, title }) => ({ word: name, description: title }))
  if (argument.name() === 'exchange') return exchangeNames()
  return argument.name() === 'symbol' && operands[0] === 'demo' ? demoSymbols() : []
}

/** Loaded here because most words need no exchange. */
async function exchangeNames(): Promise<readonly Candidate[]> {
  const { exchangeIds } = await import('../markets/exchanges/ccxt/exchange-list.js')
  return [...exchangeIds, 'demo', 'own', 'stocks'].sort().map(word => ({ word }))
}

async function demoSymbols(): Promise<readonly Candidate[]> {
  const { createDemoSource } = await import('../markets/exchanges/demo/demo-source.js')
  return (createDemoSource().symbols() as readonly string[]).map(word => ({ word }))
}

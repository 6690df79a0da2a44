import { Command, type CommanderError, Help } from 'commander'
import { nearFields } from '../contract/hints.js'
import { description, version } from '../runtime/version.js'
import { commands } from './commands.js'

/** Commander's exit code for a wrong command line is 1. Here it is 2, because 1 means that the command itself failed. */
export const exitCodeOf = ({ exitCode }: CommanderError): number => (exitCode === 0 ? 0 : 2)

/**
 * Creates the program for the arguments `words`, with the command that they name or with all commands. `exit` is called if the
 * program ends early, for example for a wrong argument.
 */
export async function createProgram(
  words: readonly string[],
  exit: (reason: CommanderError) => never,
): Promise<Command> {
  /** Errors of the command line itself are JSON, too. */
  const isJson = words.includes('--json')
  const program = new Command('candela')
    .description(description)
    .version(version)
    .configureHelp({
      optionDescription(option) {
        const text = Help.prototype.optionDescription.call(this, option)
        return option.mandatory ? `${text} (required)` : text
      },
    })
    .showHelpAfterError(isJson ? false : 'Add --help for the usage.')
    .configureOutput({
      outputError(text, write) {
        const error = withNearOption(text, program, words)
        write(isJson ? `${JSON.stringify({ error: error.trim().replace(/^error: /, '') })}\n` : error)
      },
    })
    .exitOverride(exit)
    // Commander treats an option whose value is undefined, such as `--chart candles`, as an empty text.
    .hook('preAction', (_, command) => {
      if (command.getOptionValue('chart') === '') command.setOptionValue('chart', undefined)
    })
  const [first = ''] = words
  // Loads only the command to run, because loading all commands is several times as slow.
  const isVersion = first === '--version' || first === '-V'
  const wanted = isVersion ? [] : Object.hasOwn(commands, first) ? [commands[first]] : Object.values(commands)
  for (const load of wanted) (await load?.())?.(program)
  return program
}

/**
 * Adds a suggestion to the error of an unknown option: the option with this name in other programs. Commander suggests similar
 * spellings.
 */
function withNearOption(text: string, program: Command, words: readonly string[]): string {
  const [, unknown] = /^error: unknown option '--([\w-]+)(?:=.*)?'\n$/.exec(text) ?? []
  if (unknown === undefined) return text
  let command = program
  for (const word of words) command = command.commands.find(each => each.name() === word) ?? command
  const names = command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long.slice(2)] : []))
  const [near] = nearFields(unknown, names)
  return near === undefined ? text : `${text.trimEnd()}\n(Did you mean --${near}?)\n`
}

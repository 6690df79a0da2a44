#!/usr/bin/env node
import { Command, Help } from 'commander'
import { description, version } from '../runtime/version.js'
import { commands } from './commands.js'

/** Errors of the command line itself are JSON, too. */
const isJson = process.argv.includes('--json')

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
    outputError: (text, write) =>
      write(isJson ? `${JSON.stringify({ error: text.trim().replace(/^error: /, '') })}\n` : text),
  })
  // Commander's exit code for a wrong command line is 1. Here it is 2, because 1 means that the command itself failed.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))

const [, , first = '', ...others] = process.argv
// The one that is run is loaded alone: all of them together take several times as long.
const isCompletion = first === 'complete'
const isVersion = first === '--version' || first === '-V'
const wanted =
  isCompletion || isVersion
    ? []
    : Object.hasOwn(commands, first)
      ? [commands[first]]
      : Object.values(commands)
for (const load of wanted) (await load?.())?.(program)

// The program that reads the output may end early, as `head` does; the disk that it is written to may be full.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') console.error(`candela: Cannot write to standard output: ${error.message}`)
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

// What the shells run while a command is typed; it is no command of its own.
if (isCompletion) {
  const { completionsOf } = await import('./complete.js')
  for (const line of await completionsOf(others.slice(1))) console.log(line)
} else await program.parseAsync()

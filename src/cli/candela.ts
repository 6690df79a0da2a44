#!/usr/bin/env node
import { Command, Help } from 'commander'
import { description, version } from '../version.js'

const program = new Command('candela')
  .description(description)
  .version(version)
  .configureHelp({
    optionDescription(option) {
      const text = Help.prototype.optionDescription.call(this, option)
      return option.mandatory ? `${text} (required)` : text
    },
  })
  .showHelpAfterError('Add --help for the usage.')
  // Commander's exit code for a wrong command line is 1. Here it is 2, because 1 means that the command itself failed.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))

type AddCommand = (program: Command) => void

/** Adds each command, in the order of the help. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.js')).addServe,
  health: async () => (await import('./health.js')).addHealth,
  keys: async () => (await import('./keys.js')).addKeys,
  mcp: async () => (await import('./mcp.js')).addMcp,
  indicators: async () => (await import('./indicators.js')).addIndicators,
  exchanges: async () => (await import('./exchanges.js')).addExchanges,
  backfill: async () => (await import('./backfill.js')).addBackfill,
  import: async () => (await import('./import.js')).addImport,
  export: async () => (await import('./export.js')).addExport,
  repair: async () => (await import('./repair.js')).addRepair,
  migrate: async () => (await import('./migrate.js')).addMigrate,
}
const [, , first = ''] = process.argv
// The one that is run is loaded alone: all of them together take several times as long.
const wanted = Object.hasOwn(commands, first) ? [commands[first]] : Object.values(commands)
for (const load of wanted) (await load?.())?.(program)

// The program that reads the output may end early, as `head` does; the disk that it is written to may be full.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') console.error(`candela: Cannot write to standard output: ${error.message}`)
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

await program.parseAsync()

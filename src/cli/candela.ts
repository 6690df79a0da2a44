#!/usr/bin/env node
import { Command, Help } from 'commander'
import { description, version } from '../version.js'
import { addBackfill } from './backfill.js'
import { addExchanges } from './exchanges.js'
import { addExport } from './export.js'
import { addHealth } from './health.js'
import { addImport } from './import.js'
import { addIndicators } from './indicators.js'
import { addKeys } from './keys.js'
import { addMcp } from './mcp.js'
import { addServe } from './serve.js'

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

for (const add of [
  addServe,
  addHealth,
  addKeys,
  addMcp,
  addIndicators,
  addExchanges,
  addBackfill,
  addImport,
  addExport,
])
  add(program)

await program.parseAsync()

import type { Command } from 'commander'
import { configure, settingsInForce } from '../operate/settings/config.js'
import { action, type CommonOptions } from './failure.js'
import { formatTable, printResult } from './output.js'

/** Adds `settings`, which prints the settings of a service in this environment. */
export const addSettings = (program: Command): void => {
  program
    .command('settings')
    .description('the settings in force, and where they come from')
    .option('--changed', 'only those that are not the default')
    .option('--json', 'print a JSON array')
    .action(action(report))
}

function report({ changed, ...options }: CommonOptions & { readonly changed?: true }): void {
  // Reports invalid settings, as at the start of the service.
  configure()
  const shown = settingsInForce().filter(({ from }) => !changed || from !== 'default')
  const rows = shown.map(({ name, value, from }) => [name, value ?? '(not shown)', from])
  printResult(shown, options, () => formatTable(['SETTING', 'VALUE', 'FROM'], rows))
}

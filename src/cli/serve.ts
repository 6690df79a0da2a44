import type { Command } from 'commander'
import { setProcesses } from '../operate/settings/config.js'

/** `candela serve`: runs the service, like `node dist/main.js`. */
export const addServe = (program: Command): void => {
  program
    .command('serve')
    .description('run the service')
    .option(
      '--processes <number>',
      'processes that serve, or auto for one per processor (the setting PROCESSES)',
    )
    .action(async ({ processes }: { readonly processes?: string }) => {
      if (processes !== undefined) setProcesses(processes)
      await import('../main.js')
    })
}

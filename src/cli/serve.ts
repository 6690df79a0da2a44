import type { Command } from 'commander'

/** `candela serve`: runs the service, like `node dist/main.js`. */
export const addServe = (program: Command): void => {
  program
    .command('serve')
    .description('run the service')
    .action(async () => {
      await import('../main.js')
    })
}

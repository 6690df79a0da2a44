import type { Command } from 'commander'
import { readConnection } from '../operate/settings/config.js'

/** `candela mcp`: the tools for language models on standard input and output, answered by a running service. */
export const addMcp = (program: Command): void => {
  program
    .command('mcp')
    .description('serve the Model Context Protocol on standard input and output')
    .addHelpText('after', '\nCANDELA_URL is the address of the running service, CANDELA_KEY an API key.')
    .action(async () => {
      // Loaded here, because no other command needs the module.
      const { serveStdio } = await import('../http/mcp/stdio.js')
      await serveStdio(readConnection())
    })
}

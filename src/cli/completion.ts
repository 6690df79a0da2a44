import { Argument, type Command } from 'commander'
import { completionScripts, type Shell, shells } from './completion-scripts.js'

/** `candela completion`: the script that has a shell complete commands. */
export const addCompletion = (program: Command): void => {
  program
    .command('completion')
    .description('print what makes a shell complete commands, options and names')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', '\nThe first line of what is printed says where to put it.')
    .action((shell: Shell) => {
      process.stdout.write(completionScripts[shell])
    })
}

import { SourceFailure } from '../exchanges/source.js'
import { CorruptAccount, StoreFailure } from '../store/store.js'

/** Why a command failed, in words for its user. */
export class CommandFailure extends Error {}

const expected = [CommandFailure, CorruptAccount, SourceFailure, StoreFailure]

/**
 * Runs a command. A failure that is no bug (of an exchange, the disk or the arguments) is printed as one line and sets exit
 * code 1; everything else is thrown.
 */
export async function runCommand(command: () => void | Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!expected.some(kind => error instanceof kind)) throw error
    console.error(`candela: ${(error as Error).message}`)
    process.exitCode = 1
  }
}

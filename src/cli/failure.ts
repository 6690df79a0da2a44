import { SourceFailure } from '../exchanges/source.js'
import { CorruptAccount, StoreFailure } from '../store/store.js'

/** Why a command could not do what it was asked for, in words for the person who asked. */
export class CommandFailure extends Error {}

const expected = [CommandFailure, CorruptAccount, SourceFailure, StoreFailure]

/** Does the work of a command. What the world does not allow is told in one line, with exit code 1; a bug is thrown. */
export async function reporting(work: () => void | Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!expected.some(kind => error instanceof kind)) throw error
    console.error(`candela: ${(error as Error).message}`)
    process.exitCode = 1
  }
}

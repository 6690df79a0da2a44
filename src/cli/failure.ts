import { FileFailure } from '../candles/files/text.js'
import { CandelaError } from '../client/errors.js'
import { KernelFailure } from '../compute/wasm/module.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { CorruptAccount, StoreFailure } from '../contract/storage/stores.js'
import { SourceFailure } from '../markets/exchanges/source.js'

/** Failure of a command, with the reason in words for its user. */
export class CommandFailure extends Error {}

/** Returns a value that is no refusal. Throws the error of a refusal as a CommandFailure. */
export function orFail<Value extends object>(value: Value | Refusal): Value {
  if (isRefusal(value)) throw new CommandFailure(value.error)
  return value
}

const expected = [
  CommandFailure,
  FileFailure,
  CandelaError,
  CorruptAccount,
  KernelFailure,
  SourceFailure,
  StoreFailure,
]

export interface CommonOptions {
  /** Output, errors and notes are JSON. */
  readonly json?: true
}

/** Prints a remark of a command on standard error. */
export const printNote = (text: string, { json }: CommonOptions = {}): void =>
  console.error(json ? JSON.stringify({ note: text }) : `candela: ${text}`)

/** Prints the reason why a command or a part of it failed. The command continues, and ends with exit code 1. */
export function printFailure(message: string, { json }: CommonOptions = {}): void {
  console.error(json ? JSON.stringify({ error: message }) : `candela: ${message}`)
  process.exitCode = 1
}

/**
 * Wraps the action of a command for commander, which passes the arguments, the options and the command. Failures of an exchange,
 * the disk, the arguments or a kernel are printed as one line and set exit code 1. Everything else is thrown.
 */
export const action =
  (run: (...given: never[]) => void | Promise<void>) =>
  async (...given: unknown[]): Promise<void> => {
    try {
      await run(...(given as never[]))
    } catch (error) {
      if (!expected.some(kind => error instanceof kind)) throw error
      printFailure((error as Error).message, given.at(-2) as CommonOptions | undefined)
    }
  }

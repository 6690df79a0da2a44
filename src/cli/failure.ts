import { FileFailure } from '../candles/files/text.js'
import { CandelaError } from '../client/errors.js'
import { KernelFailure } from '../compute/wasm/module.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { CorruptAccount, StoreFailure } from '../contract/storage/stores.js'
import { SourceFailure } from '../markets/exchanges/source.js'

/** Why a command failed, in words for its user. */
export class CommandFailure extends Error {}

/** A value that is no refusal. Throws the error of a refusal as a CommandFailure. */
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

/** The options of every command. */
export interface CommonOptions {
  /** Output, errors and notes are JSON. */
  readonly json?: true
}

/** Prints a remark of a command on standard error. */
export const printNote = (text: string, { json }: CommonOptions = {}): void =>
  console.error(json ? JSON.stringify({ note: text }) : `candela: ${text}`)

/** Prints why a command, or a part of a command, failed. The command continues, and ends with exit code 1. */
export function printFailure(message: string, { json }: CommonOptions = {}): void {
  console.error(json ? JSON.stringify({ error: message }) : `candela: ${message}`)
  process.exitCode = 1
}

/**
 * The action of a command for commander, which passes the arguments, the options and the command. A failure that is no bug (of
 * an exchange, the disk or the arguments), or a bug of a kernel, is printed as one line and sets exit code 1; everything else
 * is thrown.
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

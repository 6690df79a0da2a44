import { CommandFailure, type CommonOptions } from '../failure.js'
import { printResult } from '../output.js'
import { openFiles } from './input-file.js'
import { type ReadingOptions, readLines } from './lines.js'
import { LineFault } from './reader.js'

/** Prints for each file what is taken for what, in one line. Throws CommandFailure where that cannot be known. */
export async function explainFiles(
  paths: readonly string[],
  options: ReadingOptions,
  common: CommonOptions,
): Promise<void> {
  for await (const file of openFiles(paths, options)) {
    let text: string | undefined
    const onExplanation = (found: string) => {
      text = found
    }
    const lines = readLines(file, { ...options, onNote: () => {}, onExplanation })
    try {
      while (text === undefined && !(await lines.next()).done);
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      throw new CommandFailure(`${file.name} line ${error.line}: ${error.message}`)
    } finally {
      await lines.return(undefined)
    }
    const reading = text ?? 'there are no candles'
    printResult({ file: file.name, reading }, common, () => `${file.name}: ${reading}`)
  }
}

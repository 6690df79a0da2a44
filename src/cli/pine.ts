import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { type Timeframe, timeframes } from '../candles/timeframe.js'
import { type LineNote, type PineTranslation, translatePine } from '../compute/pine/translate.js'
import { finish } from '../runtime/scheduler.js'
import { action, CommandFailure, type CommonOptions } from './failure.js'
import { printResult, wrapText } from './output.js'

interface Options extends CommonOptions {
  readonly timeframe?: Timeframe
}

/** `candela pine`: translates a script of Pine into expressions. It needs no service. */
export const addPine = (program: Command): void => {
  program
    .command('pine')
    .description('translate a script of Pine into expressions')
    .argument('[script]', 'the file; without it standard input is read')
    .addOption(
      new Option('--timeframe <timeframe>', 'that of the candles, where the script chooses others').choices(
        Object.keys(timeframes),
      ),
    )
    .option('--json', 'as JSON')
    .action(action(run))
}

async function run(file: string | undefined, options: Options): Promise<void> {
  const translation = finish(translatePine(await read(file), options.timeframe))
  printResult(translation, options, () => formatTranslation(translation))
  if (translation.expressions.length === 0) process.exitCode = 1
}

async function read(file: string | undefined): Promise<string> {
  try {
    return file === undefined ? await text(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandFailure(`Cannot read "${file ?? 'standard input'}": ${(error as Error).message}`)
  }
}

const formatNotes = (heading: string, notes: readonly LineNote[]): readonly string[] =>
  notes.length === 0 ? [] : ['', heading, ...notes.map(({ line, text }) => wrapText(`line ${line}: ${text}`))]

function formatTranslation({ inputs, expressions, differences, refused }: PineTranslation): string {
  const lines = expressions.flatMap(({ line, from, title, expression }) => [
    `# line ${line}: ${from}${title === '' ? '' : ` "${title}"`}`,
    expression,
  ])
  const chosen = inputs.map(({ line, name, title, value }) => ({
    line,
    text: `${name} = ${value}${title === '' ? '' : ` (${title})`}`,
  }))
  return [
    ...(lines.length > 0 ? lines : ['# nothing has an expression']),
    ...formatNotes('# inputs, which have their defaults', chosen),
    ...formatNotes('# differences from Pine', differences),
    ...formatNotes('# without an expression', refused),
  ].join('\n')
}

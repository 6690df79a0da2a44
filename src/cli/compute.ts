import { existsSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Chart } from '../candles/charts/chart.js'
import { readCandles, type TextFormat, textFormats } from '../candles/files/read.js'
import { defaultsOf } from '../catalogue/description.js'
import { catalogue, type Entry, readsClosesOnly } from '../catalogue/index.js'
import { nameOfOther, readOther } from '../compute/expressions/plan.js'
import { settledAt } from '../contract/query.js'
import { isRefusal } from '../contract/refusals.js'
import { type ComputedSpec, computeExpressionText, computeText } from './compute/computation.js'
import { action, CommandFailure, printNote } from './failure.js'
import { addFileOptions, type FileOptions, printExplanations, readingOf } from './file-options.js'
import { addParameters, findIndicator, parseIndicator, readParameters } from './indicator-argument.js'
import { chartOption, settledOption } from './option-parsers.js'
import { writeText } from './output.js'
import { createReadingDisplay } from './progress.js'

interface Options extends FileOptions {
  readonly all?: true
  readonly chart?: Chart
  readonly settled?: number
  readonly expression?: string
  readonly input?: TextFormat
  readonly output: TextFormat
  readonly results?: number
  readonly out?: string
  readonly json?: true
  readonly symbol?: string
  /** Files with the candles of other markets, by the name of the market. */
  readonly with?: ReadonlyMap<string, readonly string[]>
}

/** `candela compute`: an indicator, an expression, or all indicators, over candles of files. It needs no service. */
export const addCompute = (program: Command): void => {
  const command = program
    .command('compute')
    .description(
      'compute an indicator or an expression over candles of files or of standard input, without a service',
    )
    .argument('[indicator]', 'such as rsi; candela indicators lists them')
    .argument(
      '[files...]',
      'CSV, JSON, Parquet, Feather or .xlsx, also as .gz, .zst or .zip, read as one series; - is standard input',
    )
  // The indicator is the first word.
  const words =
    process.argv[2] === 'compute' && !process.argv.includes('--expression') ? process.argv.slice(3) : []
  const entry = findIndicator(words, 'first')
  if (entry) addParameters(command, entry)
  else command.addHelpText('after', '\nParameters of an indicator: candela compute <indicator> --help')
  command
    .option('--all', 'every indicator, with its default parameters')
    .option('--expression <text>', "an expression instead, such as 'rsi(14) < 30 and close > ema(200)'")
    .option(
      '--with <market=file>',
      'candles of another market that the expression names, such as ETHUSDT=eth.csv; may be given several times',
      addOther,
    )
    .addOption(chartOption())
    .addOption(settledOption())
    .addOption(new Option('--input <format>', 'format of the candles; found by itself').choices(textFormats))
    .option('--symbol <symbol>', 'the market to read of files that have several')
  addFileOptions(command)
    .addOption(new Option('--output <format>', 'format of the values').choices(textFormats).default('csv'))
    .option('--results <n>', 'only the newest n values, instead of all', parseResults)
    .option('--out <file>', 'file to write, instead of standard output')
    .option('--json', 'the same as --output json, with errors as JSON')
    .action(
      action((indicator: string | undefined, files: readonly string[], options: Options) =>
        run(calculationsOf(command, indicator, files, options), options),
      ),
    )
}

/** Reads the name of a market, as written between the braces of an expression, and a file of its candles. */
function addOther(
  text: string,
  before: ReadonlyMap<string, readonly string[]> = new Map(),
): ReadonlyMap<string, readonly string[]> {
  const at = text.indexOf('=')
  const other = readOther(text.slice(0, Math.max(0, at)))
  if (!other || at === text.length - 1)
    throw new InvalidArgumentError('Expected a market and a file, such as ETHUSDT=eth.csv.')
  const name = nameOfOther(other)
  return new Map([...before, [name, [...(before.get(name) ?? []), text.slice(at + 1)]]])
}

function parseResults(text: string): number {
  if (text === 'max') return Number.POSITIVE_INFINITY
  const results = Number(text)
  if (!/^\d+$/.test(text) || results < 1 || !Number.isSafeInteger(results))
    throw new InvalidArgumentError('Expected an integer of 1 or more, or max.')
  return results
}

interface Wanted {
  /** Calculations, or the text of an expression. */
  readonly calculations: readonly ComputedSpec[] | string
  readonly files: readonly string[]
}

/** Reads the arguments. With --all or --expression all of them are files. Ends the command if they are wrong. */
function calculationsOf(
  command: Command,
  indicator: string | undefined,
  files: readonly string[],
  options: Options,
): Wanted {
  const { expression } = options
  const allFiles = indicator === undefined ? [] : [indicator, ...files]
  if (expression !== undefined) {
    if (options.all) return command.error('error: give either --all or --expression')
    return { calculations: expression, files: allFiles }
  }
  if (options.all) {
    if (indicator !== undefined && catalogue.has(indicator) && !existsSync(indicator))
      return command.error(`error: --all computes every indicator: leave out ${indicator}`)
    const all = [...catalogue.values()].map(entry => withSettled(entry, options.settled))
    return { calculations: all, files: allFiles }
  }
  if (indicator === undefined)
    return command.error("error: missing required argument 'indicator', --expression or --all")
  let entry: Entry
  try {
    entry = parseIndicator(indicator)
  } catch (error) {
    return command.error(`error: '${indicator}' is invalid. ${(error as Error).message}`)
  }
  return { calculations: [readParameters(command, entry, options)], files }
}

/** An indicator with its defaults. If `digits` is set, an indicator that never settles has no values. */
function withSettled(indicator: Entry, digits: number | undefined): ComputedSpec {
  const spec = { indicator, params: defaultsOf(indicator) }
  if (digits === undefined) return spec
  const settled = settledAt(spec, digits)
  return { ...spec, settled: isRefusal(settled) ? { digits, first: Number.POSITIVE_INFINITY } : settled }
}

async function run({ calculations, files }: Wanted, options: Options): Promise<void> {
  if (options.with && typeof calculations !== 'string')
    throw new CommandFailure(
      '--with is for an --expression that names another market, such as close{ETHUSDT}',
    )
  if (files.length === 0 && process.stdin.isTTY)
    printNote('reading candles from standard input; Ctrl-D ends them', options)
  const isShown = options.json === undefined && (options.out !== undefined || !process.stdout.isTTY)
  const onNote = (text: string) => printNote(text, options)
  const own = options.symbol === undefined ? {} : { symbol: options.symbol }
  const closesSuffice =
    typeof calculations !== 'string' &&
    options.chart === undefined &&
    calculations.every(({ indicator, source }) => readsClosesOnly(indicator, source))
  const reading = { ...readingOf(options), format: options.input, closesSuffice, onNote }
  const paths = files.length === 0 ? ['-'] : files
  if (options.explain) return printExplanations(paths, { ...reading, ...own }, options)
  const candles = readCandles(paths, {
    ...reading,
    ...own,
    display: createReadingDisplay('reading', isShown),
  })
  const others = new Map(
    [...(options.with ?? [])].map(
      ([name, paths]) => [name, readCandles(paths, { ...reading, sheet: undefined })] as const,
    ),
  )
  const textOptions = {
    chart: options.chart,
    settled: options.settled,
    format: options.json ? 'json' : options.output,
    results: options.results,
    isNamed: options.all === true,
  }
  const text =
    typeof calculations === 'string'
      ? computeExpressionText(calculations, candles, textOptions, others)
      : computeText(calculations, candles, textOptions)
  await writeText(text, options.out)
}

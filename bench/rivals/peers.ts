import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Columns } from '#dist/candles/columns.js'
import { catalogue, type Entry, type Values } from '#dist/catalogue/index.js'
import { Calculator } from '#dist/compute/kernels/calculator.js'
import type { Calculation } from '#dist/compute/kernels/shape.js'
import { LiveCalculation } from '#dist/compute/results/live-calculation.js'
import type { Table } from '../baseline.js'
import { chosenCandles, chosenIndicators, effort, isSmoke } from '../effort.js'
import { randomWalk } from '../random-walk.js'
import { geometricMean, rounded } from '../statistics.js'
import { type Call, callOf } from './calls.js'
import { RivalProgram } from './rival-program.js'

/** The folder into which `node bench/rivals/build.mjs` puts the programs. */
const built = fileURLToPath(new URL('../../rivals/', import.meta.url))

/** The programs, and the libraries in them with exact values: a value has the same bits however it was computed. */
const programs = [
  { path: join(built, 'target', 'release', 'rivals'), libraries: ['talib', 'wickra', 'kand', 'yata', 'ta'] },
  { path: join(built, 'rivals-c'), libraries: ['talib-c', 'tulip'] },
  { path: join(built, 'rivals-takt'), libraries: ['talib-takt'] },
] as const

const titles: Readonly<Record<string, string>> = {
  talib: 'TA-Lib 0.8.3',
  'talib-c': 'TA-Lib C 0.8.1',
  'talib-takt': 'TA-Lib takt 0.8.2',
  tulip: 'Tulip C 0.8',
  wickra: 'Wickra 2.1.1',
  kand: 'kand 0.2.2',
  yata: 'yata 0.7.0',
  ta: 'ta 0.5.0',
}

const count = chosenCandles ?? 10_000
/** Each measurement alternates with the rivals, so that a disturbance of some seconds does not affect one of them alone. */
const rounds = effort(5, 1)
const batches = effort(6, 1)
const batchNs = effort(1e6, 0)

interface Rival extends Call {
  readonly library: string
  readonly program: RivalProgram
}

interface Row {
  readonly entry: Entry
  readonly params: Values
  readonly rivals: readonly Rival[]
  /** Wickra's batches whose last digits differ from its updates: timed, but not compared. */
  readonly inexact: readonly Rival[]
  /** Nanoseconds per candle by library, the lowest so far. */
  readonly ns: Record<string, number>
}

const defaultsOf = (entry: Entry) =>
  Object.fromEntries(Object.entries(entry.params).map(([name, param]) => [name, param.default])) as Values

/** A file of the candles as the programs read them. */
function writeCandles(path: string, columns: Columns): void {
  const lists = [columns.open, columns.high, columns.low, columns.close, columns.volume]
  const numbers = [new Float64Array([count]), ...lists.map(list => list.slice(0, count))]
  writeFileSync(path, Buffer.concat(numbers.map(list => Buffer.from(list.buffer))))
}

/** The functions of each library with their number of options, if known. */
async function functionsOf(program: RivalProgram): Promise<Map<string, Map<string, number | undefined>>> {
  const libraries = new Map<string, Map<string, number | undefined>>()
  for (const line of (await program.ask('list'))?.split(',') ?? []) {
    const [library, name, options] = line.split(' ') as [string, string | undefined, string | undefined]
    if (name === undefined) continue
    if (!libraries.has(library)) libraries.set(library, new Map())
    libraries.get(library)?.set(name, options === undefined ? undefined : Number(options))
  }
  return libraries
}

const callText = (command: string, library: string, { name, options }: Call) =>
  `${command} ${library} ${name} ${options.join(' ')}`

/** Whether two columns have the same values in their second half, where the beginnings of recursive averages have faded. */
function isEqual(a: Float64Array, b: Float64Array): boolean {
  const scale = a.reduce((sum, value) => sum + (Number.isFinite(value) ? Math.abs(value) : 0), 0) / count
  for (let i = count / 2; i < count; i++) {
    const [x, y] = [a[i] as number, b[i] as number]
    if (Number.isNaN(x) && Number.isNaN(y)) continue
    if (!(Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y), scale))) return false
  }
  return true
}

/** Whether a rival returns the values of the kernel. One of the two may have more columns than the other. */
async function givesTheSame(rival: Rival, ours: readonly Float64Array[], file: string): Promise<boolean> {
  const answer = await rival.program.ask(callText(`values ${file}`, rival.library, rival))
  if (answer === undefined) return false
  const numbers = new Float64Array(new Uint8Array(readFileSync(file)).buffer)
  const theirs = Array.from({ length: Number(answer) }, (_, k) =>
    numbers.subarray(k * count, (k + 1) * count),
  )
  const has = (columns: readonly Float64Array[], column: Float64Array) =>
    columns.some(each => isEqual(each, column))
  return (
    theirs.length > 0 &&
    (ours.every(column => has(theirs, column)) || theirs.every(column => has(ours, column)))
  )
}

/** Nanoseconds per candle of the fastest batch of calls, each of about a millisecond. */
function fastest(call: () => void): number {
  const time = (repetitions: number) => {
    const begin = process.hrtime.bigint()
    for (let i = 0; i < repetitions; i++) call()
    return Number(process.hrtime.bigint() - begin)
  }
  // Long enough for V8 to have compiled the kernel with its optimising compiler.
  time(effort(Math.max(5, Math.ceil(500_000 / count)), 1))
  let repetitions = 1
  while (time(repetitions) < batchNs) repetitions *= 2
  let best = Number.POSITIVE_INFINITY
  for (let batch = 0; batch < batches; batch++) best = Math.min(best, time(repetitions) / repetitions)
  return best
}

/** The indicators to look for in the libraries. */
function timedEntries(): readonly Entry[] {
  const names = chosenIndicators ?? (isSmoke ? ['rsi'] : catalogue.keys())
  return Array.from(names, name => {
    const entry = catalogue.get(name)
    if (!entry) throw new Error(`no such indicator: ${name}`)
    return entry
  })
}

/** Rows of timed indicators, and the rivals with different values. */
async function findRows(
  opened: readonly { program: RivalProgram; libraries: readonly string[] }[],
  calculator: Calculator,
  columns: Columns,
  file: string,
): Promise<{ rows: Row[]; different: string[] }> {
  const functions = await Promise.all(opened.map(({ program }) => functionsOf(program)))
  const rows: Row[] = []
  const different: string[] = []
  for (const entry of timedEntries()) {
    const rivals: Rival[] = []
    for (const [at, { program, libraries }] of opened.entries()) {
      for (const library of libraries) {
        const call = callOf(library, entry, functions[at]?.get(library) ?? new Map())
        if (!call) continue
        const rival = { ...call, library, program }
        const { source, source2 } = call
        const params = { ...defaultsOf(entry), ...call.with }
        const snapshot = { columns, closed: count, forming: undefined, count }
        const ours = calculator.calculate({ indicator: entry, params, source, source2 }, [snapshot]).columns
        if (await givesTheSame(rival, ours, file)) rivals.push(rival)
        else different.push(`${entry.name} (${titles[library]})`)
      }
    }
    if (rivals.length === 0 && !isSmoke) continue
    const params = Object.assign({}, defaultsOf(entry), ...rivals.map(rival => rival.with))
    const inexact = rivals
      .filter(({ library }) => library === 'wickra')
      .filter(({ name }) => functions.some(each => each.get('wickra-fast')?.has(name)))
      .map(rival => ({ ...rival, library: 'wickra-fast' }))
    rows.push({ entry, params, rivals, inexact, ns: {} })
  }
  return { rows, different }
}

async function timeRow(
  { entry, params, rivals, inexact, ns }: Row,
  calculator: Calculator,
  columns: Columns,
) {
  const note = (library: string, time: number) => {
    ns[library] = Math.min(time, ns[library] ?? Number.POSITIVE_INFINITY)
  }
  for (const rival of [...rivals, ...inexact])
    note(rival.library, Number(await rival.program.ask(callText(`time ${batches}`, rival.library, rival))))
  const { source, source2 } = rivals[0] ?? { source: undefined, source2: undefined }
  calculator.compute({ indicator: entry, params, source, source2 }, [
    { columns, closed: count, forming: undefined, count },
  ])
  note('candela', fastest(() => calculator.run(0, count)) / count)
}

/** Nanoseconds from a closed candle to the text of its update, in the fastest of some batches of steps. */
function textNanoseconds(calculator: Calculator, calculation: Calculation, columns: Columns): number {
  const live = new LiveCalculation(calculator, calculation)
  const steps = effort(200, 1)
  let closed = count / 2
  live.advance([{ columns, closed, forming: undefined, count: closed }])
  let best = Number.POSITIVE_INFINITY
  while (closed + steps <= effort(count, count / 2 + 1)) {
    const begin = process.hrtime.bigint()
    for (const end = closed + steps; closed < end; ) {
      closed++
      live.advance([{ columns, closed, forming: undefined, count: closed }])
    }
    best = Math.min(best, Number(process.hrtime.bigint() - begin) / steps)
  }
  return best
}

/** Nanoseconds of one update: the kernel alone, with its text as the service sends it, and the rivals that take updates. */
async function updateTable(
  rows: readonly Row[],
  program: RivalProgram | undefined,
  calculator: Calculator,
  columns: Columns,
): Promise<Table> {
  const names = ['sma', 'ema', 'rsi', 'macd', 'bbands', 'atr', 'adx', 'cci', 'willr', 'obv'].filter(
    name => chosenIndicators?.has(name) ?? (!isSmoke || name === 'rsi'),
  )
  const table: Record<string, Record<string, unknown>> = {}
  for (const name of names) {
    const indicator = catalogue.get(name) as Entry
    const params = defaultsOf(indicator)
    const calculation = { indicator, params }
    const options = rows
      .find(row => row.entry === indicator)
      ?.rivals.find(({ library }) => library === 'wickra')
    const times: Record<string, number> = {}
    for (let round = 0; round < rounds; round++) {
      const note = (column: string, ns: number) => {
        times[column] = Math.min(ns, times[column] ?? Number.POSITIVE_INFINITY)
      }
      calculator.compute(calculation, [{ columns, closed: count, forming: undefined, count }])
      let i = 0
      const number = fastest(() => {
        i = i === count - 1 ? count / 2 : i + 1
        calculator.run(i, i + 1)
        calculator.value(0, i)
      })
      note('Candela, number ns', number)
      note('Candela, text ns', textNanoseconds(calculator, calculation, columns))
      const values = Object.values(params).map(Number)
      for (const library of ['talib-update', 'wickra-update']) {
        const call = {
          name,
          options: options?.options ?? values,
          with: {},
          source: undefined,
          source2: undefined,
        }
        const answer = await program?.ask(callText(`time ${batches}`, library, call))
        if (answer !== undefined)
          note(`${library === 'talib-update' ? 'TA-Lib stream' : 'Wickra update'} ns`, Number(answer))
      }
    }
    table[name] = Object.fromEntries(Object.entries(times).map(([column, ns]) => [column, rounded(ns, 1)]))
  }
  return table
}

/** One row for each indicator with its rivals, slowest first; then the summary of all rows. */
function resultTable(rows: readonly Row[]): Table {
  const libraries = Object.keys(titles)
  const compared = rows
    .map(({ entry, ns }) => ({
      name: entry.name,
      ns,
      ratio: (ns.candela as number) / Math.min(...libraries.flatMap(library => ns[library] ?? [])),
    }))
    .sort((a, b) => b.ratio - a.ratio)
  const shared = compared.filter(({ ratio }) => ratio > 0)
  const summary =
    shared.length === 0
      ? {}
      : {
          [`all ${shared.length}, geometric mean`]: {
            'Candela / best exact rival': rounded(geometricMean(shared.map(({ ratio }) => ratio)), 3),
          },
        }
  return {
    ...summary,
    ...Object.fromEntries(
      compared.map(({ name, ns, ratio }) => [
        name,
        {
          'Candela ns': rounded(ns.candela as number),
          ...Object.fromEntries(
            libraries.flatMap(library =>
              ns[library] === undefined ? [] : [[`${titles[library]} ns`, rounded(ns[library])]],
            ),
          ),
          ...(ns['wickra-fast'] !== undefined && { 'Wickra batch_fast ns': rounded(ns['wickra-fast']) }),
          ...(ratio > 0 && { 'Candela / best exact rival': rounded(ratio) }),
        },
      ]),
    ),
  }
}

/**
 * Kernels compared with the native functions of other libraries that return the same values, over the same candles; then one
 * update of some. Libraries that were not built are skipped and listed.
 */
export async function benchPeers(): Promise<readonly Table[]> {
  const folder = mkdtempSync(join(tmpdir(), 'candela-peers-'))
  const candlesFile = join(folder, 'candles')
  const { columns } = randomWalk(count)
  writeCandles(candlesFile, columns)
  const missing = programs.filter(({ path }) => !existsSync(path))
  for (const { libraries } of missing)
    console.log(
      `left out: ${libraries.map(library => titles[library]).join(', ')}; \`node bench/rivals/build.mjs\` builds them`,
    )
  const opened = programs
    .filter(({ path }) => existsSync(path))
    .map(({ path, libraries }) => ({ program: new RivalProgram(path, candlesFile), libraries }))
  try {
    const calculator = new Calculator()
    const { rows, different } = await findRows(opened, calculator, columns, join(folder, 'values'))
    if (different.length > 0) console.log(`other values, not compared: ${different.join(', ')}`)
    for (let round = 0; round < rounds; round++)
      for (const row of rows) await timeRow(row, calculator, columns)
    const rust = opened.find(({ libraries }) => (libraries as readonly string[]).includes('wickra'))?.program
    // An update costs the same after any number of candles.
    if (chosenCandles !== undefined) return [resultTable(rows)]
    return [resultTable(rows), await updateTable(rows, rust, calculator, columns)]
  } finally {
    for (const { program } of opened) await program.end()
    rmSync(folder, { recursive: true })
  }
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  differencesOf,
  missingOf,
  type Ratios,
  regressionsOf,
  regressionTolerance,
  repeatUntilSteady,
} from './comparison.js'

/** The result of a bench: rows of named cells. */
export type Table = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * The recorded result of a suite. Ratios are compared with later runs. Times depend on the machine and are recorded for
 * documents.
 */
interface Recorded {
  readonly date: string
  readonly node: string
  readonly machine: string
  readonly ratios: Ratios
  /** Cells in nanoseconds, "row: column", which documents quote. */
  readonly figures?: Ratios
}

const path = fileURLToPath(new URL('../../bench/baseline.json', import.meta.url))

/** Largest change that is treated as noise. */
const tolerance = 0.15

const isRatio = (column: string) => column.includes(' / ') || column.startsWith('share of')

const read = (): Readonly<Record<string, Recorded>> =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Recorded>) : {}

/** The cells of a table that compare two things of one run: their columns are called "this / that" or "share of". */
export const ratiosOf = (tables: readonly Table[]): Ratios => cellsOf(tables, isRatio)

function cellsOf(tables: readonly Table[], isWanted: (column: string) => boolean): Ratios {
  const found: Record<string, number> = {}
  for (const table of tables) {
    for (const [row, cells] of Object.entries(table)) {
      for (const [column, value] of Object.entries(cells))
        if (isWanted(column) && typeof value === 'number') found[`${row}: ${column}`] = value
    }
  }
  return found
}

/** The processor, and the number of its cores that this process may use. */
export function machineText(): string {
  const cores = availableParallelism()
  return `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cores} ${cores === 1 ? 'core' : 'cores'}`
}

/** Records the ratios of a suite in `bench/baseline.json` and replaces the earlier ones. */
export function writeBaseline(suite: string, tables: readonly Table[]): void {
  const figures = cellsOf(tables, column => column.endsWith(' ns'))
  const recorded: Recorded = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: machineText(),
    ratios: ratiosOf(tables),
    ...(Object.keys(figures).length > 0 && { figures }),
  }
  writeFileSync(path, `${JSON.stringify({ ...read(), [suite]: recorded }, undefined, 2)}\n`)
  console.log(`recorded as the baseline of ${suite}`)
}

/** Prints the ratios of a suite that differ from the recorded ones by more than noise. */
export function compare(suite: string, tables: readonly Table[]): void {
  const recorded = read()[suite]
  if (!recorded) {
    console.log(`no baseline of ${suite}; --write-baseline records one`)
    return
  }
  const ratios = Object.entries(ratiosOf(tables))
  const rows: Record<string, Record<string, unknown>> = {}
  for (const [name, now] of ratios) {
    const before = recorded.ratios[name]
    const change = before === undefined ? undefined : Math.round((now / before) * 100) / 100
    if (change === undefined || Math.abs(change - 1) > tolerance)
      rows[name] = { now, baseline: before, 'now / baseline': change }
  }
  const { date, node, machine } = recorded
  console.log(
    `baseline of ${date}, Node ${node} on ${machine}: ${ratios.length - Object.keys(rows).length} of ${ratios.length} ratios within ${tolerance * 100} %`,
  )
  if (Object.keys(rows).length > 0) console.table(rows)
}

/** Number of runs until ratios are steady, and the largest spread of a steady ratio. */
const steadiness = { maxSpread: 0.05, minRuns: 3, maxRuns: 9 }

/**
 * Repeats a bench until its ratios are steady within 5 %, or until `deadline` (of `performance.now()`). Prints the ratios
 * that are worse than the recorded ones by more than a tenth, and returns their number. Unsteady ratios are listed, but not
 * counted.
 */
export async function findRegressions(
  suite: string,
  bench: () => Promise<readonly Table[]>,
  deadline: number,
): Promise<number> {
  const recorded = read()[suite]
  if (!recorded) {
    console.log(`no baseline of ${suite}; --write-baseline records one`)
    return 0
  }
  let longest = 0
  const run = async () => {
    const began = performance.now()
    const ratios = ratiosOf(await bench())
    longest = Math.max(longest, performance.now() - began)
    return ratios
  }
  const storedIsNewer = () => performance.now() + longest > deadline
  const { ratios, runs, unsteady } = await repeatUntilSteady(run, { ...steadiness, storedIsNewer })
  const all = regressionsOf(differencesOf(recorded.ratios, ratios))
  const steady = all.filter(({ name }) => unsteady[name] === undefined)
  const { date, node, machine } = recorded
  console.log(
    `baseline of ${date}, Node ${node} on ${machine}: ${runs} runs, ${Object.keys(ratios).length} ratios, ${steady.length} worse by more than ${regressionTolerance * 100} %, ${Object.keys(unsteady).length} not steady within ${steadiness.maxSpread * 100} %`,
  )
  const rows = all.map(({ name, recorded: before, now, worseBy }) => [
    name,
    { baseline: before, now, 'worse by %': Math.round(worseBy * 100), steady: unsteady[name] === undefined },
  ])
  if (rows.length > 0) console.table(Object.fromEntries(rows))
  for (const name of missingOf(recorded.ratios, ratios)) console.log(`not measured: ${name}`)
  return steady.length
}

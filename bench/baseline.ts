import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

/** The result of a bench: rows of named cells. */
export type Table = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The recorded result of a suite: ratios only, because times depend on the machine. */
interface Recorded {
  readonly date: string
  readonly node: string
  readonly machine: string
  readonly ratios: Readonly<Record<string, number>>
}

const path = fileURLToPath(new URL('../../bench/baseline.json', import.meta.url))

/** The largest change that is taken for noise. */
const tolerance = 0.15

const isRatio = (column: string) => column.includes(' / ') || column.startsWith('share of')

const read = (): Readonly<Record<string, Recorded>> =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Recorded>) : {}

/** The cells of a table that compare two things of one run: their columns are called "this / that" or "share of". */
function ratiosOf(tables: readonly Table[]): Record<string, number> {
  const ratios: Record<string, number> = {}
  for (const table of tables) {
    for (const [row, cells] of Object.entries(table)) {
      for (const [column, value] of Object.entries(cells))
        if (isRatio(column) && typeof value === 'number') ratios[`${row}: ${column}`] = value
    }
  }
  return ratios
}

/** Records the ratios of a suite in `bench/baseline.json` and replaces the earlier ones. */
export function writeBaseline(suite: string, tables: readonly Table[]): void {
  const recorded: Recorded = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores`,
    ratios: ratiosOf(tables),
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

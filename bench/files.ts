import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  columnFromArray,
  float64,
  TimeUnit,
  tableFromColumns,
  tableToIPC,
  timestamp,
} from '@uwdata/flechette'
import { parquetWriteFile } from 'hyparquet-writer'
import type { Columns } from '#dist/candles/columns.js'
import { columnNames } from '#dist/candles/columns.js'
import type { Table } from './baseline.js'
import { effort } from './effort.js'
import { randomWalk } from './random-walk.js'
import { createKey } from './service-process.js'
import { median, rounded } from './statistics.js'

const rounds = effort(3, 1)
const computedRows = effort(1_000_000, 2_000)
const importedRows = effort(2_600_000, 2_000)
/** Start of the minute candles in Unix seconds. */
const start = Date.UTC(2019, 0, 1) / 1000

/** Resources of a program until its end. */
interface Used {
  readonly seconds: number
  readonly mb: number
}

/**
 * Writes the resources of the process to the end of standard error. The peak comes from /proc, because that of the
 * usage includes the parent's.
 */
const atExit = `import { readFileSync } from 'node:fs'
process.on('exit', () => {
  const peakKb = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
  process.stderr.write('\\n' + JSON.stringify({ ...process.resourceUsage(), peakKb }))
})`

/** Runs a program to its end and measures it. */
function run(args: readonly string[], directory: string): Promise<Used> {
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(atExit)}`, ...args],
    {
      env: { ...process.env, DATA_DIR: directory },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let text = ''
  child.stderr.setEncoding('utf8').on('data', piece => {
    text += piece
  })
  return new Promise((resolve, reject) =>
    child.once('close', code => {
      if (code !== 0) return reject(new Error(text))
      const { userCPUTime, systemCPUTime, peakKb } = JSON.parse(text.slice(text.lastIndexOf('\n')))
      resolve({ seconds: (userCPUTime + systemCPUTime) / 1e6, mb: peakKb / 1024 })
    }),
  )
}

/** A minimal program that reads a CSV file: it splits the text and converts each cell to a number. */
const leastReader = (path: string) => [
  '-e',
  `let sum = 0
for (const line of require('fs').readFileSync(${JSON.stringify(path)}, 'utf8').split('\\n'))
  for (const cell of line.split(',')) sum += Number(cell)`,
]

function writeCsv(path: string, columns: Columns, count: number, textOf: (time: number) => string): void {
  const file = openSync(path, 'w')
  writeSync(file, `${columnNames.join(',')}\n`)
  const { open, high, low, close, volume } = columns
  const pieceRows = 10_000
  for (let from = 0; from < count; from += pieceRows) {
    let lines = ''
    for (let row = from; row < Math.min(count, from + pieceRows); row++)
      lines += `${textOf(start + 60 * row)},${open[row]},${high[row]},${low[row]},${close[row]},${volume[row]}\n`
    writeSync(file, lines)
  }
  closeSync(file)
}

/** Writes the files to read; returns their paths by name. */
function writeFiles(directory: string) {
  const { columns, count } = randomWalk(importedRows, 1)
  // Prices of markets have few digits.
  for (const name of columnNames.slice(1))
    for (let row = 0; row < count; row++) columns[name][row] = Number(columns[name][row]?.toPrecision(6))
  const paths = {
    csv: join(directory, 'unix.csv'),
    iso: join(directory, 'iso.csv'),
    parquet: join(directory, 'candles.parquet'),
    feather: join(directory, 'candles.feather'),
    long: join(directory, 'long.csv'),
  }
  writeCsv(paths.csv, columns, computedRows, String)
  writeCsv(paths.iso, columns, computedRows, time => new Date(1000 * time).toISOString())
  writeCsv(paths.long, columns, count, String)
  const times = Array.from({ length: computedRows }, (_, row) => 1000 * (start + 60 * row))
  const others = columnNames.slice(1).map(name => [name, columns[name].slice(0, computedRows)] as const)
  const columnData = [
    { name: 'timestamp', data: times.map(time => new Date(time)), type: 'TIMESTAMP' as const },
    ...others.map(([name, data]) => ({ name, data, type: 'DOUBLE' as const })),
  ]
  parquetWriteFile({ filename: paths.parquet, columnData })
  const table = tableFromColumns({
    timestamp: columnFromArray(times, timestamp(TimeUnit.MILLISECOND, 'UTC')),
    ...Object.fromEntries(others.map(([name, data]) => [name, columnFromArray(Array.from(data), float64())])),
  })
  writeFileSync(paths.feather, tableToIPC(table, { format: 'file' }) as Uint8Array)
  return paths
}

/**
 * Processor time and peak memory of `candela compute` over a million candles of files, and of `candela import` of 2.6 million,
 * alternating with a minimal program that reads the same CSV.
 */
export async function benchFiles(): Promise<Table> {
  const directory = mkdtempSync(join(tmpdir(), 'candela-bench-files-'))
  try {
    const paths = writeFiles(directory)
    const stores = Array.from({ length: rounds }, (_, round) => join(directory, `data-${round}`))
    for (const store of stores) {
      mkdirSync(store)
      createKey(store)
    }
    const command = 'dist/cli/candela.js'
    const market = ['--exchange', 'kraken', '--symbol', 'XYZ/USD', '--timeframe', '1m']
    const programs: Readonly<Record<string, readonly string[]>> = {
      'split and Number, CSV': leastReader(paths.csv),
      'rsi, CSV': [command, 'compute', 'rsi', paths.csv],
      'rsi, CSV with ISO times': [command, 'compute', 'rsi', paths.iso],
      'rsi, Parquet': [command, 'compute', 'rsi', paths.parquet],
      'rsi, Feather': [command, 'compute', 'rsi', paths.feather],
      'expression, CSV': [command, 'compute', '--expression', 'rsi(14) < 30', paths.csv],
      'import, CSV': [command, 'import', paths.long, ...market],
    }
    const found: Record<string, Used[]> = {}
    for (const store of stores)
      for (const [name, args] of Object.entries(programs)) {
        found[name] ??= []
        found[name].push(await run(args, store))
      }
    const secondsOf = (name: string) => median((found[name] ?? []).map(({ seconds }) => seconds))
    const least = secondsOf('split and Number, CSV') / computedRows
    return Object.fromEntries(
      Object.entries(found).map(([name, used]) => {
        const rows = name.startsWith('import') ? importedRows : computedRows
        const seconds = secondsOf(name)
        return [
          name,
          {
            rows,
            'CPU, s': rounded(seconds),
            'peak, MB': rounded(Math.max(...used.map(({ mb }) => mb)), 0),
            'CPU per row / split and Number': rounded(seconds / rows / least),
          },
        ]
      }),
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

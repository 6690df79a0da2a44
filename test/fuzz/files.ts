import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openFiles } from '../../src/candles/files/input.js'
import { type FileReading, readRows } from '../../src/candles/files/read.js'
import { FileFailure } from '../../src/candles/files/text.js'
import { workbookOf } from '../support/workbook.js'
import type { Draw } from './draw.js'

const headings = [
  'timestamp,open,high,low,close,volume',
  'time;open;high;low;close;volume',
  'Date,Open,High,Low,Close,Adj Close,Volume',
  '"timestamp","open","high","low","close","volume"',
  'open,close',
  '',
]
const times = (i: number) => [
  String(1_700_000_000 + i * 3600),
  String(1_700_000_000_000 + i * 3_600_000),
  new Date(1_700_000_000_000 + i * 3_600_000).toISOString(),
  '2024-01-31',
]

/** A CSV file of candles, or something like it. */
export function createFile(draw: Draw): Buffer {
  const separator = draw.pick([',', ',', ';', '\t'])
  const style = draw.below(4)
  const lines = Array.from({ length: draw.pick([0, 1, 20, 200]) }, (_, i) =>
    [times(i)[style], 1, 2, 0.5, draw.chance(0.02) ? draw.text(6) : 1.5, 10].join(separator),
  )
  const text = [draw.pick(headings), ...lines].join(draw.pick(['\n', '\r\n']))
  const bytes = Buffer.from(draw.chance(0.2) ? `\uFEFF${text}` : text, draw.pick(['utf8', 'utf8', 'utf16le']))
  return draw.chance(0.5) ? draw.damage(bytes) : bytes
}

/** Reads a file as `candela import` does, in pieces of any length; any other end than a reading or a refusal is thrown. */
export async function readFile(draw: Draw): Promise<FileReading | undefined> {
  const bytes = createFile(draw)
  async function* pieces() {
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + draw.below(bytes.length)
      yield bytes.subarray(at, end)
      at = end
    }
  }
  try {
    const options = { symbol: 'BTCUSDT', isInverse: draw.chance(0.2) }
    return await readRows({ name: 'drawn', bytes: pieces() }, options, () => {})
  } catch (error) {
    if (error instanceof FileFailure) return undefined
    throw error
  }
}

const tables = ['pandas.parquet', 'snappy.parquet', 'zstd.parquet', 'lz4.feather', 'zstd.feather'].map(name =>
  readFileSync(new URL(`../support/candle-files/${name}`, import.meta.url)),
)
const head = ['Date', 'Open', 'High', 'Low', 'Close', 'Volume']
const candles = [45_301, 45_302, 45_303].map(serial => [{ serial, style: 1 } as const, 1.5, 3, 0.5, 2, 10])
const workbook = workbookOf({ A: [head, ...candles] })

/** Reads a compressed file, a workbook, or one of Parquet or Feather, damaged, as `candela import` does. Any other end than a reading or a refusal is thrown. */
export async function readPacked(draw: Draw, directory: string): Promise<void> {
  const whole = draw.chance(0.5) ? draw.pick([...tables, workbook]) : gzipSync(createFile(draw))
  const path = join(directory, `packed-${draw.below(2 ** 31)}`)
  writeFileSync(path, draw.damage(whole))
  try {
    for await (const file of openFiles([path])) await readRows(file, { symbol: 'BTCUSDT' }, () => {})
  } catch (error) {
    if (!(error instanceof FileFailure)) throw error
  } finally {
    rmSync(path)
  }
}

const words = [
  '--help',
  '--json',
  '--plan',
  'pro',
  'gold',
  '--name',
  'me',
  '--constructs',
  '25',
  '--depth',
  '1000',
  '-1',
  '1e9',
  '--from',
  '2024-01-31',
  '--to',
  'yesterday',
  '--out',
  '/nowhere/file',
  'demo',
  'BTCUSDT',
  'btc/usdt',
  '1h',
  '2h',
  '',
  '--nothing',
]

/** The words of a command line. No command starts the service or sends a request to an exchange. */
export const createCommand = (draw: Draw): string[] => [
  ...draw.pick([
    ['keys', 'create'],
    ['keys', 'list'],
    ['keys', 'revoke'],
    ['indicators'],
    ['compute', 'rsi', '/nowhere/file.csv'],
    ['compute', '--all', '/nowhere/file.csv'],
    ['complete', '--', 'compute'],
    ['completion'],
    ['export', 'demo', 'BTCUSDT', '1h'],
    ['backfill', 'demo', 'BTCUSDT', '1h'],
    ['import', '/nowhere/file.csv'],
    ['nothing'],
  ]),
  ...draw.list(4, () => (draw.chance(0.9) ? draw.pick(words) : draw.text(10).replaceAll('\0', ''))),
]

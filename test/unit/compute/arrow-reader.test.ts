import {
  columnFromArray,
  type DataType,
  dateDay,
  dateMillisecond,
  decimal128,
  dictionary,
  float16,
  float32,
  float64,
  int8,
  int16,
  int32,
  int64,
  largeUtf8,
  list,
  nullType,
  struct,
  tableFromColumns,
  tableFromIPC,
  tableToIPC,
  uint8,
  uint32,
  utf8,
} from '@uwdata/flechette'
import { describe, expect, it } from 'vitest'
import { openArrow } from '../../../src/candles/files/arrow.js'

const values = [1, 2, 3, null, 5, 6, 7]
const texts = ['a', 'bb', null, '', 'é', 'a', 'zz']

/** Columns of all types that candles have, and of some that are skipped. */
const columns: readonly (readonly [name: string, type: DataType, values: readonly unknown[]])[] = [
  ['int8', int8(), values],
  ['int16', int16(), values],
  ['nested', list(struct({ a: int32(), b: utf8() })), values.map(a => [{ a: a ?? 0, b: 'x' }])],
  ['int32', int32(), values],
  ['int64', int64(), values],
  ['uint8', uint8(), values],
  ['uint32', uint32(), values],
  ['float16', float16(), values],
  ['none', nullType(), values.map(() => null)],
  ['float32', float32(), values],
  ['float64', float64(), values.map(value => value && value / 7)],
  ['decimal', decimal128(10, 2), values],
  ['day', dateDay(), values.map(value => value && new Date(value * 86_400_000))],
  ['milliseconds', dateMillisecond(), values.map(value => value && new Date(value * 86_400_000))],
  ['text', utf8(), texts],
  ['long text', largeUtf8(), texts],
  ['dictionary', dictionary(utf8(), int8()), texts],
]
const skipped = ['nested', 'none']

const table = tableFromColumns(
  columns.map(([name, type, own]) => [name, columnFromArray([...own], type, { maxBatchRows: 3 } as never)]),
)

/** The values of each column that is read, by name. */
function read(bytes: Uint8Array): Record<string, unknown[]> {
  const { names, batches } = openArrow(bytes)
  const found: Record<string, unknown[]> = {}
  for (const { rows, column } of batches)
    for (const [at, name] of names.entries()) {
      const value = column(at)
      if (!value) continue
      found[name] ??= []
      for (let row = 0; row < rows; row++) found[name].push(value(row))
    }
  return found
}

describe('a table of Apache Arrow', () => {
  it.each(['stream', 'file'] as const)('has the values that another reader finds, as a %s', format => {
    const bytes = tableToIPC(table, { format }) as Uint8Array
    const other = tableFromIPC(bytes)
    const expected = Object.fromEntries(
      columns
        .filter(([name]) => !skipped.includes(name))
        .map(([name]) => [name, [...(other.getChild(name as never) as Iterable<unknown>)]]),
    )
    expect(Object.keys(expected)).toHaveLength(columns.length - skipped.length)
    expect(read(bytes)).toEqual(expected)
    expect(openArrow(bytes).names).toEqual(columns.map(([name]) => name))
  })
})

/** Number of rows read from arbitrary bytes, or undefined if the bytes are refused. */
function rowsOf(bytes: Uint8Array): number | undefined {
  try {
    let count = 0
    const { names, batches } = openArrow(bytes)
    for (const { rows, column } of batches) {
      count += rows
      for (const at of names.keys()) {
        const value = column(at)
        for (let row = 0; row < rows; row++) value?.(row)
      }
    }
    return count
  } catch (error) {
    expect(error).toBeInstanceOf(Error)
    return undefined
  }
}

/** Bytes whose only 64-bit numbers that are 3 are the announced rows, lengths and the like of three rows. */
function announcing(rows: bigint, type: DataType): Uint8Array {
  const names = ['time', 'open', 'high', 'low', 'close']
  const own = tableFromColumns(names.map(name => [name, columnFromArray([null, null, null], type)]))
  const bytes = Buffer.from(tableToIPC(own, { format: 'stream' }) as Uint8Array)
  for (let at = 0; at + 8 <= bytes.length; at += 8)
    if (bytes.readBigInt64LE(at) === 3n) bytes.writeBigInt64LE(rows, at)
  return bytes
}

describe('bytes that announce more than they have', () => {
  const stream = tableToIPC(table, { format: 'stream' }) as Uint8Array

  it.each([
    ['Null', nullType()],
    ['numbers', float64()],
    ['texts', utf8()],
    ['a dictionary', dictionary(utf8(), int32())],
  ] as const)('are refused where rows of %s have no bytes', (_, type) => {
    for (const rows of [10_000n, 10n ** 8n, 2n ** 31n, 2n ** 53n, 2n ** 63n - 1n, -1n])
      expect(rowsOf(announcing(rows, type)), String(rows)).toBeUndefined()
  })

  it('are refused where messages have a negative length, which another reader reads forever', () => {
    for (let length = -64; length < 0; length++) {
      const bytes = Buffer.alloc(64)
      bytes.writeInt32LE(length)
      expect(rowsOf(bytes), String(length)).toBeUndefined()
    }
  })

  it('are refused, or have at most as many rows as bytes, whichever byte is another one', () => {
    // Columns that differ in their form, so that the table is short.
    const own = columns.filter(([name]) => ['nested', 'int64', 'none', 'text', 'dictionary'].includes(name))
    const short = tableFromColumns(
      own.map(([name, type, values]) => [name, columnFromArray([...values], type)]),
    )
    let refused = 0
    for (const format of ['stream', 'file'] as const) {
      const whole = tableToIPC(short, { format }) as Uint8Array
      for (let at = 0; at < whole.length; at++)
        for (const value of [0, 1, 0x7f, 0xff]) {
          const bytes = whole.slice()
          bytes[at] = value
          const rows = rowsOf(bytes)
          if (rows === undefined) refused++
          else if (rows > bytes.length) expect.fail(`${rows} rows with ${value} at ${at}`)
        }
    }
    expect(refused).toBeGreaterThan(1000)
  })

  it('are refused, or have as many rows as batches that are whole, wherever they end', () => {
    for (let length = 0; length < stream.length; length++) {
      const rows = rowsOf(stream.slice(0, length))
      expect([undefined, 0, 3, 6, 7]).toContain(rows)
    }
  })

  it('are refused where texts overlap, which would be longer together than what has arrived', () => {
    const long = columnFromArray(['x'.repeat(3000), '', 'y'], utf8())
    const bytes = Buffer.from(
      tableToIPC(tableFromColumns([['text', long]]), { format: 'stream' }) as Uint8Array,
    )
    expect(read(bytes)).toEqual({ text: ['x'.repeat(3000), '', 'y'] })
    const offsets = Buffer.from(Int32Array.of(0, 3000, 3000, 3001).buffer)
    const at = bytes.indexOf(offsets)
    expect(at).toBeGreaterThan(0)
    bytes.writeInt32LE(0, at + 8)
    expect(rowsOf(bytes)).toBeUndefined()
  })
})

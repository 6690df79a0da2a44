import {
  columnFromArray,
  float64,
  int8,
  nullType,
  tableFromColumns,
  tableToIPC,
  utf8,
} from '@uwdata/flechette'
import type { Draw } from './draw.js'
import type { FuzzRequest } from './requests.js'

const names = ['time', 'open', 'high', 'low', 'close', 'volume']
const others = ['volz', 'volume usd', 'symbol', 'with', '', 'a', 'x'.repeat(300), '"', 'timestamp', 'date']
const cells = ['1', '', '-', '1,5', '$1.5K', '01/02/2024', 'A'.repeat(1_500), '9'.repeat(900), '"', 'nan']

/** A body of CSV: mostly candles, with columns, names, cells and lines of any number and length. */
function csv(draw: Draw): Buffer {
  const further = draw.list(draw.pick([0, 2, 20, 400]), () => draw.pick(others))
  const header = draw.chance(0.9) ? [...names, ...further] : further
  const separator = draw.pick([',', ',', ';', '\t'])
  const rows = Array.from({ length: draw.pick([0, 1, 30, 300]) }, (_, i) => {
    const row = [
      `${1_600_000_000 + 60 * i}`,
      '1',
      '3',
      '1',
      '2',
      '10',
      ...further.map(() => draw.pick(['', 'M', `M${i}`])),
    ]
    return draw.chance(0.02) ? row.slice(0, draw.below(8)).map(() => draw.pick(cells)) : row
  })
  const lines = [header, ...rows].map(row => row.join(separator))
  if (draw.chance(0.1)) lines.push(draw.pick([separator, '\n', '""', ' ', 'x']).repeat(draw.below(100_000)))
  const bytes = Buffer.from(lines.join(draw.pick(['\n', '\r\n'])))
  return draw.chance(0.3) ? draw.damage(bytes) : bytes
}

/** A body of Arrow: mostly candles, in which numbers of any width are others. */
function arrow(draw: Draw): Buffer {
  const rows = draw.pick([0, 1, 3, 50])
  const type = draw.pick([float64(), float64(), float64(), int8(), nullType(), utf8()])
  const column = (name: string) =>
    columnFromArray(
      Array.from({ length: rows }, (_, i) => {
        const value = name === 'time' ? i : name === 'high' ? 3 : 1
        return type.typeId === nullType().typeId ? null : type.typeId === utf8().typeId ? `${value}` : value
      }),
      type,
    )
  const columns = [...names, ...draw.list(3, () => draw.pick(others))].map((name): [string, never] => [
    name,
    column(name) as never,
  ])
  const format = draw.pick(['stream', 'stream', 'file'] as const)
  const bytes = Buffer.from(tableToIPC(tableFromColumns(columns), { format }) as Uint8Array)
  for (let k = draw.below(4); k > 0; k--) {
    const at = draw.below(Math.max(1, bytes.length - 8))
    const value = draw.pick([0, 1, -1, -4, 3, 64, 2 ** 31 - 1, -(2 ** 31), draw.below(2 ** 16)])
    if (draw.chance(0.5)) bytes.writeInt32LE(value, at - (at % 4))
    else bytes.writeBigInt64LE(BigInt(value) ** draw.pick([1n, 2n]) / 2n, at - (at % 8))
  }
  return draw.chance(0.2) ? draw.damage(bytes) : bytes
}

/** A request whose body is a table. */
export function createTableRequest(draw: Draw, key: string): FuzzRequest {
  const isCsv = draw.chance(0.5)
  const path = draw.pick([
    '/indicator/rsi?results=max',
    '/indicator/sma?period=2',
    '/expression?expression=close%2Fclose%7BM1%7D',
  ])
  const contentType = isCsv ? 'text/csv' : 'application/vnd.apache.arrow.stream'
  const headers = { authorization: `Bearer ${key}`, 'content-type': contentType }
  return { method: 'POST', path, headers, body: isCsv ? csv(draw) : arrow(draw) }
}

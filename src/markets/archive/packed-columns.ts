import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { Columns, columnNames } from '../../candles/columns.js'

// Planes of bytes: the lowest byte of all numbers, then the next byte, up to the highest byte of the largest number.

const bytesOfNumber = 8
/** Entropy in bits per byte above which deflating hardly shortens bytes. */
const maxAlikeBits = 6.5

/** Planes of whole numbers of up to 52 bits, without the planes of zeros. The sign is the lowest bit of a number. */
export function planesOf(whole: Float64Array): Uint8Array[] {
  const count = whole.length
  let greatest = 0
  const left = whole.map(number => {
    const signed = number < 0 ? -2 * number - 1 : 2 * number
    greatest = Math.max(greatest, signed)
    return signed
  })
  const planes: Uint8Array[] = []
  for (let rest = greatest; rest >= 1; rest /= 256) {
    const plane = new Uint8Array(count)
    for (let i = 0; i < count; i++) {
      const number = left[i] as number
      const higher = Math.floor(number / 256)
      plane[i] = number - 256 * higher
      left[i] = higher
    }
    planes.push(plane)
  }
  return planes
}

/** Reads planes of whole numbers into a column of the same length. */
export function readPlanes(planes: readonly Uint8Array[], column: Float64Array): void {
  const count = column.length
  const [first, second, third] = planes as [Uint8Array, Uint8Array, Uint8Array]
  // One loop per number of planes: most columns have few planes, and whole numbers of 32 bits are fast.
  if (planes.length === 1) for (let i = 0; i < count; i++) column[i] = signed(first[i] as number)
  else if (planes.length === 2)
    for (let i = 0; i < count; i++) column[i] = signed((first[i] as number) | ((second[i] as number) << 8))
  else if (planes.length === 3)
    for (let i = 0; i < count; i++)
      column[i] = signed((first[i] as number) | ((second[i] as number) << 8) | ((third[i] as number) << 16))
  else if (planes.length > 3) readManyPlanes(planes, column)
}

/** Whole number whose sign is its lowest bit. */
const signed = (number: number): number => (number >>> 1) ^ -(number & 1)

/** Reads planes of signed whole numbers of more than 32 bits. */
function readManyPlanes(planes: readonly Uint8Array[], column: Float64Array): void {
  const [lowest, ...higher] = planes as [Uint8Array, ...Uint8Array[]]
  for (let i = 0; i < column.length; i++) column[i] = (lowest[i] as number) >>> 1
  // Skips the sign bit.
  let weight = 128
  for (const plane of higher) {
    for (let i = 0; i < column.length; i++) column[i] = (column[i] as number) + weight * (plane[i] as number)
    weight *= 256
  }
  for (let i = 0; i < column.length; i++)
    if (((lowest[i] as number) & 1) === 1) column[i] = -(column[i] as number) - 1
}

/** Planes of the eight bytes of each number. */
export function planesOfNumbers(numbers: Float64Array): Uint8Array[] {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
  return Array.from({ length: bytesOfNumber }, (_, k) => {
    const plane = new Uint8Array(numbers.length)
    for (let i = 0; i < plane.length; i++) plane[i] = bytes[bytesOfNumber * i + k] as number
    return plane
  })
}

/** Reads planes of the bytes of numbers into a column of the same length. */
export function readPlanesOfNumbers(planes: readonly Uint8Array[], column: Float64Array): void {
  if (planes.length !== bytesOfNumber) throw new RangeError('planes are missing')
  const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
  for (const [k, plane] of planes.entries())
    for (let i = 0; i < column.length; i++) bytes[bytesOfNumber * i + k] = plane[i] as number
}

/** Whether a plane is worth deflating, by the Shannon entropy of its bytes. */
export function areAlike(plane: Uint8Array): boolean {
  const counts = new Uint32Array(256)
  for (let i = 0; i < plane.length; i++) {
    const byte = plane[i] as number
    counts[byte] = (counts[byte] as number) + 1
  }
  let bits = 0
  for (const count of counts) if (count > 0) bits += count * Math.log2(plane.length / count)
  return bits <= maxAlikeBits * plane.length
}

/** Whole numbers that represent others: `unit` times a whole number, divided by ten to `power`, is the original. */
export interface Whole {
  readonly columns: readonly Float64Array[]
  readonly unit: number
  readonly power: number
}

/** Limit up to which the change of a distance between two whole numbers is exact, with one more bit for its sign. */
const maxWhole = 2 ** 50
export const powersOfTen: readonly number[] = Array.from({ length: 16 }, (_, power) => 10 ** power)

/**
 * Converts decimal numbers to whole numbers, with the smallest power of ten and the greatest unit that all share.
 * Undefined if a number would not be restored bit for bit: it has too many digits, is not decimal, is -0 or not
 * finite.
 */
export function wholeOf(columns: readonly Float64Array[]): Whole | undefined {
  let power = 0
  // A number that is whole with one power is whole with greater ones, too.
  for (const column of columns)
    for (let i = 0; i < column.length; i++)
      while (!isWhole(column[i] as number, power)) if (++power === powersOfTen.length) return undefined
  const factor = powersOfTen[power] as number
  let unit = 0
  const whole = columns.map(column => column.map(number => Math.round(number * factor)))
  for (const [k, column] of whole.entries())
    for (let i = 0; i < column.length; i++) {
      // A number that is whole with a smaller power may be too great with this one.
      if (!isWhole(columns[k]?.[i] as number, power)) return undefined
      if (unit !== 1 && (column[i] as number) % unit !== 0) unit = divisorOf(column[i] as number, unit)
    }
  if (unit > 1)
    for (const column of whole)
      for (let i = 0; i < column.length; i++) column[i] = (column[i] as number) / unit
  return { columns: whole, unit: unit || 1, power }
}

function isWhole(number: number, power: number): boolean {
  const factor = powersOfTen[power] as number
  const whole = Math.round(number * factor)
  return Math.abs(whole) <= maxWhole && whole / factor === number && !Object.is(number, -0)
}

function divisorOf(one: number, other: number): number {
  let [a, b] = [Math.abs(one), Math.abs(other)]
  while (b > 0) [a, b] = [b, a % b]
  return a
}

// Packs columns of candles without loss: every number is restored bit for bit.
//
// Markets have decimal numbers: whole multiples of a unit, divided by a power of ten. The whole numbers are small
// as differences. A time is stored as the change of the distance to the previous time. An open is relative to the
// previous close, and a close to its open. A high is relative to the greater of open and close, a low to the
// smaller one.
//
// The bytes of a column lie in planes: the lowest byte of all numbers, then the next byte. Planes of similar bytes
// are deflated. The other planes are stored raw and are read several times as fast. If differences cannot restore a
// number of a group of columns (times, prices, volumes) bit for bit, the group has the planes of its f64.
//
//   ├─ unit of times, of prices, of volumes: three f64 ─┼─ time, distance and close before the first: three f64 ─┤
//   ├─ power of ten of times, of prices, of volumes: three u8 ─┼─ planes of each column: six u8 ─┤
//   ├─ which of them are not deflated, a bit for each: six u8 ─┼─ 0 u8 ─┼─ planes that are not deflated ─┼─ deflated planes ─┤
//
// The planes are those of timestamp, open, high, low, close and volume, `count` bytes each.

const headerBytes = 64
/** Positions in the header, in f64, of the values that precede the first candle. */
const before = { time: 3, distance: 4, close: 5 } as const
/** Byte offsets in the header: powers of ten, number of planes per column, and bits of the planes that are not deflated. */
const powersAt = 48
const planesAt = 51
const plainAt = 57
/** Header value instead of a power of ten: the planes are those of the f64. */
const asNumbers = 255

type Prices = readonly [open: Float64Array, high: Float64Array, low: Float64Array, close: Float64Array]
type Groups = readonly [times: readonly [Float64Array], prices: Prices, volumes: readonly [Float64Array]]

/** Positions of high and low among prices. No other price is relative to them. */
const highAndLow: readonly number[] = [1, 2]

const groupsOf = ({ timestamp, open, high, low, close, volume }: Columns): Groups => [
  [timestamp],
  [open, high, low, close],
  [volume],
]

/** Packs full columns of at least one candle. */
export function packColumns(columns: Columns): Uint8Array {
  const numbers = new Float64Array(headerBytes / 8)
  const header = new Uint8Array(numbers.buffer)
  const plain: Uint8Array[] = []
  const alike: Uint8Array[] = []
  let column = 0
  for (const [at, group] of groupsOf(columns).entries()) {
    const exact = [...group]
    const whole = wholeOf(exact)
    numbers[at] = whole?.unit ?? 1
    header[powersAt + at] = whole?.power ?? asNumbers
    if (whole && at === 0) setTimeDistances(whole.columns[0] as Float64Array, numbers)
    if (whole && at === 1) setPriceDistances(whole.columns as unknown as Prices, numbers)
    for (const values of whole?.columns ?? exact) {
      const planes = whole ? planesOf(values) : planesOfNumbers(values)
      header[planesAt + column] = planes.length
      for (const [k, plane] of planes.entries()) {
        const isAlike = areAlike(plane)
        ;(isAlike ? alike : plain).push(plane)
        if (!isAlike) header[plainAt + column] = (header[plainAt + column] as number) | (1 << k)
      }
      column++
    }
  }
  const deflated = deflateRawSync(Buffer.concat(alike), { level: constants.Z_BEST_SPEED })
  return Buffer.concat([header, ...plain, deflated])
}

/**
 * Unpacks the columns of `count` candles, in unshared memory. With `closesOnly` unpacks only times and closes, in
 * half of the time; the other columns are not valid. Throws if the bytes are not those of `count` candles.
 */
export function unpackColumns(bytes: Uint8Array, count: number, closesOnly = false): Columns {
  // A copy, because f64 must lie at multiples of 8.
  const header = new Uint8Array(bytes.subarray(0, headerBytes))
  const numbers = new Float64Array(header.buffer)
  const planes = planesIn(bytes, header, count)
  const columns = Columns.unshared(count)
  let column = 0
  for (const [at, group] of groupsOf(columns).entries()) {
    const power = header[powersAt + at] as number
    if (closesOnly && at === 2) break
    for (const [k, target] of group.entries()) {
      const parts = planes[column++] as Uint8Array[]
      if (closesOnly && at === 1 && highAndLow.includes(k)) continue
      if (power === asNumbers) readPlanesOfNumbers(parts, target)
      else readPlanes(parts, target)
    }
    if (power === asNumbers) continue
    const [unit, factor] = [numbers[at] as number, powersOfTen[power] as number]
    if (at === 0) unsetTimeDistances(group[0], numbers)
    if (at === 1) unsetPriceDistances(group as Prices, numbers, unit, factor, closesOnly)
    else {
      const [target] = group
      for (let i = 0; i < count; i++) target[i] = ((target[i] as number) * unit) / factor
    }
  }
  return columns
}

function planesIn(bytes: Uint8Array, header: Uint8Array, count: number): readonly (readonly Uint8Array[])[] {
  const isPlain = columnNames.map((_, column) =>
    Array.from(
      { length: header[planesAt + column] as number },
      (_, k) => (((header[plainAt + column] as number) >> k) & 1) === 1,
    ),
  )
  const all = isPlain.flat()
  const alikeBytes = count * all.filter(plain => !plain).length
  const plainBytes = count * all.length - alikeBytes
  const deflated = bytes.subarray(headerBytes + plainBytes)
  // One spare byte makes zlib return one piece of memory.
  const room = { maxOutputLength: alikeBytes + 1, chunkSize: Math.max(constants.Z_MIN_CHUNK, alikeBytes + 1) }
  const alike = inflateRawSync(deflated, room)
  if (alike.length !== alikeBytes) throw new RangeError('planes are missing')
  const [nextPlain, nextAlike] = [partsOf(bytes, headerBytes, count), partsOf(alike, 0, count)]
  return isPlain.map(column => column.map(plain => (plain ? nextPlain() : nextAlike())))
}

/** Function that returns consecutive parts of bytes, each with the same length. */
function partsOf(bytes: Uint8Array, from: number, length: number): () => Uint8Array {
  let end = from
  return () => {
    end += length
    return bytes.subarray(end - length, end)
  }
}

function setTimeDistances(times: Float64Array, header: Float64Array): void {
  let [time, distance] = [
    times[0] as number,
    times.length > 1 ? (times[1] as number) - (times[0] as number) : 0,
  ]
  time -= distance
  header[before.time] = time
  header[before.distance] = distance
  for (let i = 0; i < times.length; i++) {
    const next = (times[i] as number) - time
    time = times[i] as number
    times[i] = next - distance
    distance = next
  }
}

function unsetTimeDistances(times: Float64Array, header: Float64Array): void {
  let time = header[before.time] as number
  let distance = header[before.distance] as number
  for (let i = 0; i < times.length; i++) {
    distance += times[i] as number
    time += distance
    times[i] = time
  }
}

function setPriceDistances([opens, highs, lows, closes]: Prices, header: Float64Array): void {
  let known = opens[0] as number
  header[before.close] = known
  for (let i = 0; i < opens.length; i++) {
    const open = opens[i] as number
    const close = closes[i] as number
    highs[i] = (highs[i] as number) - Math.max(open, close)
    lows[i] = Math.min(open, close) - (lows[i] as number)
    opens[i] = open - known
    closes[i] = close - open
    known = close
  }
}

/** Restores prices from differences of whole numbers, in place. */
function unsetPriceDistances(
  [opens, highs, lows, closes]: Prices,
  header: Float64Array,
  unit: number,
  factor: number,
  closesOnly: boolean,
): void {
  let known = header[before.close] as number
  for (let i = 0; i < opens.length; i++) {
    const open = known + (opens[i] as number)
    const close = open + (closes[i] as number)
    closes[i] = (close * unit) / factor
    known = close
    if (closesOnly) continue
    opens[i] = (open * unit) / factor
    highs[i] = ((Math.max(open, close) + (highs[i] as number)) * unit) / factor
    lows[i] = ((Math.min(open, close) - (lows[i] as number)) * unit) / factor
  }
}

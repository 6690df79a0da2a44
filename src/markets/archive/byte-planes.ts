// Numbers as planes of bytes: the lowest byte of all numbers, then the next one, for as many as the greatest number has.

const bytesOfNumber = 8
/** Bytes that are less alike than this, in bits for each of them, are hardly shorter when they are deflated. */
const maxAlikeBits = 6.5

/** Whole numbers of up to 52 bits as planes, without those of zeros; the sign of a number is in its lowest bit. */
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

/** Reads planes of whole numbers into a column that is as long as each of them. */
export function readPlanes(planes: readonly Uint8Array[], column: Float64Array): void {
  const count = column.length
  const [first, second, third] = planes as [Uint8Array, Uint8Array, Uint8Array]
  // One loop for each number of planes: most columns have few, and whole numbers of 32 bits are fast.
  if (planes.length === 1) for (let i = 0; i < count; i++) column[i] = signed(first[i] as number)
  else if (planes.length === 2)
    for (let i = 0; i < count; i++) column[i] = signed((first[i] as number) | ((second[i] as number) << 8))
  else if (planes.length === 3)
    for (let i = 0; i < count; i++)
      column[i] = signed((first[i] as number) | ((second[i] as number) << 8) | ((third[i] as number) << 16))
  else if (planes.length > 3) readManyPlanes(planes, column)
}

/** A whole number whose sign is in its lowest bit. */
const signed = (number: number): number => (number >>> 1) ^ -(number & 1)

/** Planes of whole numbers of more than 32 bits, with their sign. */
function readManyPlanes(planes: readonly Uint8Array[], column: Float64Array): void {
  const [lowest, ...higher] = planes as [Uint8Array, ...Uint8Array[]]
  for (let i = 0; i < column.length; i++) column[i] = (lowest[i] as number) >>> 1
  // The bit of the sign is left out.
  let weight = 128
  for (const plane of higher) {
    for (let i = 0; i < column.length; i++) column[i] = (column[i] as number) + weight * (plane[i] as number)
    weight *= 256
  }
  for (let i = 0; i < column.length; i++)
    if (((lowest[i] as number) & 1) === 1) column[i] = -(column[i] as number) - 1
}

/** Numbers as the planes of their eight bytes. */
export function planesOfNumbers(numbers: Float64Array): Uint8Array[] {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
  return Array.from({ length: bytesOfNumber }, (_, plane) =>
    Uint8Array.from(numbers, (_, i) => bytes[bytesOfNumber * i + plane] as number),
  )
}

/** Reads planes of the bytes of numbers into a column that is as long as each of them. */
export function readPlanesOfNumbers(planes: readonly Uint8Array[], column: Float64Array): void {
  if (planes.length !== bytesOfNumber) throw new RangeError('planes are missing')
  const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
  for (const [k, plane] of planes.entries())
    for (let i = 0; i < column.length; i++) bytes[bytesOfNumber * i + k] = plane[i] as number
}

/** Whether the bytes of a plane are alike, so that they are worth being deflated: by Shannon's entropy. */
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

// Numbers as planes of bytes: the lowest byte of all numbers, then the next one, for as many as the greatest number has.

const bytesOfNumber = 8

/** Whole numbers of up to 52 bits as planes, without those of zeros; the sign of a number is in its lowest bit. */
export function planesOf(whole: Float64Array): Uint8Array {
  const count = whole.length
  let greatest = 0
  const left = whole.map(number => {
    const signed = number < 0 ? -2 * number - 1 : 2 * number
    greatest = Math.max(greatest, signed)
    return signed
  })
  let width = 0
  for (let rest = greatest; rest >= 1; rest /= 256) width++
  const planes = new Uint8Array(width * count)
  for (let from = 0; from < planes.length; from += count)
    for (let i = 0; i < count; i++) {
      const number = left[i] as number
      const higher = Math.floor(number / 256)
      planes[from + i] = number - 256 * higher
      left[i] = higher
    }
  return planes
}

/** Reads planes of whole numbers into a column that is as long as each of them. */
export function readPlanes(planes: Uint8Array, column: Float64Array): void {
  const count = column.length
  column.fill(0)
  // Without the bit of the sign, which is left as a half.
  let weight = 0.5
  for (let from = 0; from < planes.length; from += count, weight *= 256)
    for (let i = 0; i < count; i++) column[i] = (column[i] as number) + weight * (planes[from + i] as number)
  for (let i = 0; i < count; i++) {
    const number = column[i] as number
    const floor = Math.floor(number)
    column[i] = number === floor ? number : -floor - 1
  }
}

/** Numbers as the planes of their eight bytes. */
export function planesOfNumbers(numbers: Float64Array): Uint8Array {
  const count = numbers.length
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
  const planes = new Uint8Array(bytes.length)
  for (let i = 0; i < count; i++)
    for (let plane = 0; plane < bytesOfNumber; plane++)
      planes[plane * count + i] = bytes[bytesOfNumber * i + plane] as number
  return planes
}

/** Reads planes of the bytes of numbers into a column that is as long as each of them. */
export function readPlanesOfNumbers(planes: Uint8Array, column: Float64Array): void {
  const count = column.length
  const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
  if (planes.length !== bytes.length) throw new RangeError('planes are missing')
  for (let i = 0; i < count; i++)
    for (let plane = 0; plane < bytesOfNumber; plane++)
      bytes[bytesOfNumber * i + plane] = planes[plane * count + i] as number
}

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { unpackLz4, unpackZstd, unpackZstdFrame } from '../../../src/candles/files/unpack.js'

/** Version 1, blocks of at most 64 KiB that are linked, and no checksum but that of the header, which is not compared. */
const lz4Head = '04224d18404000'
const lz4Of = (...parts: readonly string[]) => Buffer.from([lz4Head, ...parts].join(''), 'hex')
/** Four letters, a, b, c and d, in a block of their own. */
const letters = '0500000040 61626364'.replaceAll(' ', '')
const end = '00000000'

describe('a frame of LZ4', () => {
  it('may repeat what its own block or one before it has, over itself', () => {
    // No letter, then eight that begin four back (4 and the shortest match), then e.
    const repeated = '05000000 04 0400 10 65'.replaceAll(' ', '')
    expect(Buffer.from(unpackLz4(lz4Of(letters, repeated, end), 13)).toString()).toBe('abcdabcdabcde')
  })

  it('may have long lengths, blocks that are not compressed, and checksums of blocks', () => {
    // 15 and 5 letters; 15, 255, 0 and 4 repetitions of the last one; f.
    const long = `1c000000 ff 05 ${'61'.repeat(20)} 0100 ff00 10 66`.replaceAll(' ', '')
    const expected = `${'a'.repeat(20 + 15 + 255 + 4)}f`
    expect(Buffer.from(unpackLz4(lz4Of(long, end), 295)).toString()).toBe(expected)
    const plain = '03000080 616263 99999999'.replaceAll(' ', '')
    const checked = Buffer.from(`04224d18504000${plain}${end}`, 'hex')
    expect(Buffer.from(unpackLz4(checked, 3)).toString()).toBe('abc')
  })

  it.each([
    ['is none', Buffer.from('28b52ffd404000', 'hex'), 4],
    ['is of another version', Buffer.from(`04224d18804000${letters}${end}`, 'hex'), 4],
    ['needs a dictionary', Buffer.from(`04224d18414000${letters}${end}`, 'hex'), 4],
    ['is shorter than announced', lz4Of(letters, end), 5],
    ['is longer than announced', lz4Of(letters, end), 3],
    ['has no end', lz4Of(letters), 4],
    ['has a block that is longer than the frame', lz4Of('ffffff7f40616263', end), 4],
    ['has a plain block that is longer than the frame', lz4Of('ffffffff40616263', end), 4],
    ['has a block without all of its letters', lz4Of('03000000406162', end), 4],
    ['repeats what is before its begin', lz4Of('0500000004 0400 1065'.replaceAll(' ', ''), end), 9],
    ['repeats nothing', lz4Of(letters, '050000000400001065', end), 13],
    ['repeats more than announced', lz4Of(letters, '060000000f0400ff0010', end), 13],
  ])('that %s is refused', (_, frame, length) => {
    expect(() => unpackLz4(frame, length)).toThrow(RangeError)
  })
})

describe('a frame of zstd', () => {
  /** The plain file is that of the test of the forms of files. */
  const stored = readFileSync(new URL('../../support/candle-files/days.csv.zst', import.meta.url))
  const bytes = Uint8Array.from(stored)

  it('is unpacked to as many bytes as it says', async () => {
    // RFC 8878: a raw block of three bytes, the last one, in a frame of a single segment of three bytes.
    const small = Buffer.from('28b52ffd2003190000616263', 'hex')
    expect(Buffer.from(unpackZstdFrame(small, 3)).toString()).toBe('abc')
    for (const length of [2, 4]) expect(() => unpackZstdFrame(small, length)).toThrow(RangeError)
    // The same in a window of a KiB, whose content has no announced length; then in one of 256 MiB.
    const streamed = Buffer.from('28b52ffd0000190000616263', 'hex')
    expect(Buffer.from(unpackZstdFrame(streamed, 3)).toString()).toBe('abc')
    for (const length of [2, 4]) expect(() => unpackZstdFrame(streamed, length)).toThrow(RangeError)
    streamed[5] = 18 << 3
    expect(() => unpackZstdFrame(streamed, 3)).toThrow(RangeError)
  })

  it('is read as a stream, unless it announces a window above 128 MiB', async () => {
    const read = async (frame: Uint8Array, size: number) => {
      const parts: Uint8Array[] = []
      const pieces = async function* () {
        for (let at = 0; at < frame.length; at += size) yield frame.subarray(at, at + size)
      }
      for await (const part of unpackZstd(pieces())) parts.push(part)
      return Buffer.concat(parts)
    }
    const whole = await read(bytes, bytes.length)
    for (const size of [1, 17, 18, 19]) expect(await read(bytes, size)).toEqual(whole)
    const small = Buffer.from('28b52ffd0000190000616263', 'hex')
    for (const size of [1, small.length]) expect((await read(small, size)).toString()).toBe('abc')
    // A window of 2 GiB.
    small[5] = 21 << 3
    for (const size of [1, small.length]) await expect(read(small, size)).rejects.toThrow('128 MiB')
  })

  it('is refused where it is none', async () => {
    expect(() => unpackZstdFrame(bytes.subarray(4), 10)).toThrow()
    expect(() => unpackZstdFrame(bytes.subarray(0, 5), 10)).toThrow()
  })
})

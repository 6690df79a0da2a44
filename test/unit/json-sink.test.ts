import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Calculator } from '../../src/compute/calculator.js'
import { Fragments, giveBack, Pages } from '../../src/compute/workers/buffer-pool.js'
import { PageSheet, type Sheet, StringSheet } from '../../src/compute/json/sink.js'

const { writer } = new Calculator()
const isShared = ({ buffer }: Uint8Array) => (buffer as ArrayBufferLike) instanceof SharedArrayBuffer

/** One thing written on a sheet: a text, or a list of numbers. */
const stroke = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc.constantFrom('a'.repeat(300_000), 'ä€😀'.repeat(40_000)),
  fc.array(fc.double(), { maxLength: 5 }).map(list => Float64Array.from(list)),
  fc.integer({ min: 0, max: 30_000 }).map(size => Float64Array.from({ length: size }, (_, i) => i / 7)),
)

function draw(sheet: Sheet, strokes: readonly (string | Float64Array)[]): void {
  for (const one of strokes) {
    if (typeof one === 'string') sheet.add(one)
    else sheet.addNumbers(one, 0, one.length)
  }
}

describe('a sheet of pages', () => {
  it('holds the text that a string would, however it lies on the pages', () => {
    const pages = new Pages(3)
    fc.assert(
      fc.property(fc.array(stroke, { maxLength: 12 }), strokes => {
        const paged = new PageSheet(writer, pages)
        const plain = new StringSheet(writer)
        draw(paged, strokes)
        draw(plain, strokes)
        const parts = paged.parts()
        expect(Buffer.concat(parts).equals(Buffer.from(plain.text))).toBe(true)
        expect(paged.parts(), 'it is empty afterwards').toEqual([])
        giveBack(parts)
      }),
      { numRuns: 60 },
    )
  })

  it('writes on the same pages again once they were released, and not before', () => {
    const pages = new Pages(2)
    const memories = (parts: readonly Uint8Array[]) => parts.map(({ buffer }) => buffer)
    const write = (text: string) => {
      const sheet = new PageSheet(writer, pages)
      sheet.add(text)
      return sheet.parts()
    }
    const first = new Fragments(write('first'))
    const second = new Fragments(write('second'))
    expect([...first.parts, ...second.parts].every(isShared)).toBe(true)
    const third = new Fragments(write('third'))
    expect(third.parts.some(isShared), 'all pages are being read').toBe(false)
    expect(Buffer.concat(first.parts).toString()).toBe('first')
    first.release()
    const fourth = new Fragments(write('fourth'))
    expect(memories(fourth.parts)).toEqual(memories(first.parts))
    first.release()
    expect(write('fifth').some(isShared), 'a second release frees nothing').toBe(false)
    expect(Buffer.concat(fourth.parts).toString()).toBe('fourth')
    expect(Buffer.concat(second.parts).toString()).toBe('second')
  })

  it('gives its pages back when the text is discarded', () => {
    const pages = new Pages(1)
    const sheet = new PageSheet(writer, pages)
    sheet.add('x'.repeat(5_000))
    sheet.discard()
    sheet.add('y')
    const parts = sheet.parts()
    expect(parts.every(isShared)).toBe(true)
    expect(Buffer.concat(parts).toString()).toBe('y')
  })
})

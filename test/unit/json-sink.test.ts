import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Calculator } from '../../src/compute/calculator.js'
import { BufferSink, type JsonSink, StringSink } from '../../src/compute/json/sink.js'
import { BodyFragments, BufferPool, release } from '../../src/compute/workers/buffer-pool.js'

const { writer } = new Calculator()
const isShared = ({ buffer }: Uint8Array) => (buffer as ArrayBufferLike) instanceof SharedArrayBuffer

/** One thing written on a sink: a text, or a list of numbers. */
const stroke = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc.constantFrom('a'.repeat(300_000), 'ä€😀'.repeat(40_000)),
  fc.array(fc.double(), { maxLength: 5 }).map(list => Float64Array.from(list)),
  fc.integer({ min: 0, max: 30_000 }).map(size => Float64Array.from({ length: size }, (_, i) => i / 7)),
)

function draw(sink: JsonSink, strokes: readonly (string | Float64Array)[]): void {
  for (const one of strokes) {
    if (typeof one === 'string') sink.add(one)
    else sink.addNumbers(one, 0, one.length)
  }
}

describe('a sink of pages', () => {
  it('holds the text that a string would, however it lies on the pages', () => {
    const pages = new BufferPool(3)
    fc.assert(
      fc.property(fc.array(stroke, { maxLength: 12 }), strokes => {
        const paged = new BufferSink(writer, pages)
        const plain = new StringSink(writer)
        draw(paged, strokes)
        draw(plain, strokes)
        const parts = paged.take()
        expect(Buffer.concat(parts).equals(Buffer.from(plain.text))).toBe(true)
        expect(paged.take(), 'it is empty afterwards').toEqual([])
        release(parts)
      }),
      { numRuns: 60 },
    )
  })

  it('writes on the same pages again once they were released, and not before', () => {
    const pages = new BufferPool(2)
    const memories = (parts: readonly Uint8Array[]) => parts.map(({ buffer }) => buffer)
    const write = (text: string) => {
      const sink = new BufferSink(writer, pages)
      sink.add(text)
      return sink.take()
    }
    const first = new BodyFragments(write('first'))
    const second = new BodyFragments(write('second'))
    expect([...first.parts, ...second.parts].every(isShared)).toBe(true)
    const third = new BodyFragments(write('third'))
    expect(third.parts.some(isShared), 'all pages are being read').toBe(false)
    expect(Buffer.concat(first.parts).toString()).toBe('first')
    first.release()
    const fourth = new BodyFragments(write('fourth'))
    expect(memories(fourth.parts)).toEqual(memories(first.parts))
    first.release()
    expect(write('fifth').some(isShared), 'a second release frees nothing').toBe(false)
    expect(Buffer.concat(fourth.parts).toString()).toBe('fourth')
    expect(Buffer.concat(second.parts).toString()).toBe('second')
  })

  it('gives its pages back when the text is discarded', () => {
    const pages = new BufferPool(1)
    const sink = new BufferSink(writer, pages)
    sink.add('x'.repeat(5_000))
    sink.discard()
    sink.add('y')
    const parts = sink.take()
    expect(parts.every(isShared)).toBe(true)
    expect(Buffer.concat(parts).toString()).toBe('y')
  })
})

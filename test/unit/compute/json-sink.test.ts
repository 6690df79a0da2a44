import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BufferSink, type JsonSink, StringSink, sinkBufferBytes } from '../../../src/compute/json/sink.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { BufferPool } from '../../../src/runtime/buffer-pool.js'

const { writer } = new Calculator()
const isShared = ({ buffer }: Uint8Array) => (buffer as ArrayBufferLike) instanceof SharedArrayBuffer

/** Content of one write call: a text, or a list of numbers. */
const written = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc.constantFrom('a'.repeat(300_000), 'ä€😀'.repeat(40_000)),
  fc.array(fc.double(), { maxLength: 5 }).map(list => Float64Array.from(list)),
  fc.integer({ min: 0, max: 30_000 }).map(size => Float64Array.from({ length: size }, (_, i) => i / 7)),
)

function write(sink: JsonSink, items: readonly (string | Float64Array)[]): void {
  for (const item of items) {
    if (typeof item === 'string') sink.add(item)
    else sink.addNumbers(item, 0, item.length)
  }
}

describe('a buffer sink', () => {
  it('holds the same text as a string sink, however the text is divided into buffers', () => {
    const pool = new BufferPool(3 * sinkBufferBytes)
    fc.assert(
      fc.property(fc.array(written, { maxLength: 12 }), items => {
        const buffered = new BufferSink(writer, pool)
        const plain = new StringSink(writer)
        write(buffered, items)
        write(plain, items)
        const buffers = buffered.take()
        expect(Buffer.concat(buffers).equals(Buffer.from(plain.text))).toBe(true)
        expect(buffered.take(), 'it is empty afterwards').toEqual([])
        for (const buffer of buffers) BufferPool.release(buffer)
      }),
      { numRuns: 60 },
    )
  })

  it('releases its buffers when the text is discarded', () => {
    const pool = new BufferPool(sinkBufferBytes)
    const sink = new BufferSink(writer, pool)
    sink.add('x'.repeat(5_000))
    sink.discard()
    sink.add('y')
    const buffers = sink.take()
    expect(buffers.every(isShared)).toBe(true)
    expect(Buffer.concat(buffers).toString()).toBe('y')
  })
})

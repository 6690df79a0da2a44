import { describe, expect, it } from 'vitest'
import { columnNames } from '../../../src/candles/columns.js'
import { catalogue } from '../../../src/catalogue/index.js'
import { BlockCalculator } from '../../../src/compute/kernels/block-calculator.js'
import type { Calculation } from '../../../src/compute/kernels/shape.js'
import { instantiate } from '../../../src/compute/wasm/kernels-file.js'
import { entryOf, type Given, run, valuesOf } from '../../support/kernel.js'
import { realShaped } from '../../support/real-shaped-market.js'

const count = 3000
const market = realShaped(count, 7)
const candleAt = (i: number) => Object.fromEntries(columnNames.map(name => [name, market[name][i]])) as never

const calculationOf = (name: string, given: Given = {}): Calculation => ({
  indicator: entryOf(name),
  ...valuesOf(entryOf(name), given),
})

/** The columns of each calculation over all candles, computed in blocks. */
function inBlocks(calculations: readonly Calculation[], blockSize: number): Float64Array[][] {
  const calculator = new BlockCalculator(calculations, instantiate(), blockSize)
  const found = calculations.map(({ indicator }) =>
    Array.from({ length: indicator.columns }, () => new Float64Array(count)),
  )
  for (let i = 0; i < count; i++) {
    calculator.add(candleAt(i))
    if (calculator.size < blockSize && i < count - 1) continue
    const block = calculator.compute()
    expect([...block.timestamp]).toEqual(market.timestamp.slice(block.from, block.from + block.count))
    block.columns.forEach((columns, c) => {
      columns.forEach((column, k) => {
        found[c]?.[k]?.set(column, block.from)
      })
    })
  }
  return found
}

const bits = (column: Float64Array | undefined) =>
  Buffer.from((column as Float64Array).buffer).toString('base64')

function expectSame(name: string, found: readonly Float64Array[], given: Given = {}): void {
  run(name, market, given).forEach((column, k) => {
    expect(bits(found[k]) === bits(column), `column ${k} of ${name}`).toBe(true)
  })
}

describe('a calculation in blocks', () => {
  it.each([64, 1000])('gives the bits of one over all candles, in blocks of %i', size => {
    const calculations = [...catalogue.keys()].map(name => calculationOf(name))
    const found = inBlocks(calculations, size)
    calculations.forEach(({ indicator }, c) => {
      expectSame(indicator.name, found[c] as Float64Array[])
    })
  })

  it.each(['open', 'volume', 'hl2', 'hlc3', 'ohlc4'])('reads %s as the source', source => {
    const given = { source, period: 5 }
    expectSame('ema', inBlocks([calculationOf('ema', given)], 100)[0] as Float64Array[], given)
  })

  it('reads two sources', () => {
    const given = { source: 'high', source2: 'hl2' }
    expectSame('correl', inBlocks([calculationOf('correl', given)], 100)[0] as Float64Array[], given)
  })

  it('needs no more memory for more candles', () => {
    const module = instantiate()
    const calculator = new BlockCalculator([calculationOf('macd'), calculationOf('rsi')], module, 100)
    const bytesAfter = (blocks: number) => {
      for (let i = 0; i < blocks * 100; i++) {
        calculator.add(candleAt(i % count))
        if (calculator.size === 100) calculator.compute()
      }
      return module.memory.buffer.byteLength
    }
    const first = bytesAfter(1)
    expect(bytesAfter(1000)).toBe(first)
  })
})

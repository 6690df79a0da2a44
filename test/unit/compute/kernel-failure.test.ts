import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../src/candles/candle.js'
import { Series } from '../../../src/candles/series.js'
import { computeText } from '../../../src/cli/compute/computation.js'
import { action } from '../../../src/cli/failure.js'
import { BlockCalculator } from '../../../src/compute/kernels/block-calculator.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import type { Calculation } from '../../../src/compute/kernels/shape.js'
import { instantiate } from '../../../src/compute/wasm/kernels-file.js'
import type { WasmModule } from '../../../src/compute/wasm/module.js'
import { entryOf, valuesOf } from '../../support/kernel.js'

const calculationOf = (name: string): Calculation => ({
  indicator: entryOf(name),
  ...valuesOf(entryOf(name)),
})

const candleAt = (i: number): Candle => ({
  timestamp: 60 * i,
  open: 100 + (i % 7),
  high: 110 + (i % 5),
  low: 90 - (i % 3),
  close: 101 + (i % 11),
  volume: 5 + (i % 13),
})
const series = new Series('1m', 500)
for (let i = 0; i < 100; i++) series.append(candleAt(i))
const snapshot = series.snapshot()

/** The address of a frame outside of the memory. */
const nowhere = 0x7fff_0000

/** A module whose RSI kernel overwrites the closes in memory, and then reads outside of the memory. */
function withFaultyRsi(): WasmModule {
  const module = instantiate()
  const rsi = (frame: number, from: number, to: number) => {
    const close = new Uint32Array(module.memory.buffer)[frame >> 2] as number
    new Float64Array(module.memory.buffer, close, to).fill(1e9, from)
    module.rsi(nowhere, from, to)
  }
  return { ...module, rsi }
}

const named = 'rsi cannot be computed because of a bug in its kernel: memory access out of bounds'

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

describe('a kernel that reads outside of the memory', () => {
  it('is named, and other indicators over the same candles have their values', () => {
    const calculator = new Calculator(withFaultyRsi())
    const expected = [
      ...(new Calculator().calculate(calculationOf('sma'), [snapshot]).columns[0] as Float64Array),
    ]
    for (let i = 0; i < 3; i++) {
      expect(() => calculator.calculate(calculationOf('rsi'), [snapshot])).toThrow(named)
      expect([
        ...(calculator.calculate(calculationOf('sma'), [snapshot]).columns[0] as Float64Array),
      ]).toEqual(expected)
    }
  })

  it('takes no more memory each time', () => {
    const module = withFaultyRsi()
    const calculator = new Calculator(module)
    const failed = () => expect(() => calculator.calculate(calculationOf('rsi'), [snapshot])).toThrow(named)
    failed()
    const bytes = module.memory.buffer.byteLength
    for (let i = 0; i < 1000; i++) failed()
    expect(module.memory.buffer.byteLength).toBe(bytes)
  })

  it('is named where candles are computed in blocks', () => {
    const calculator = new BlockCalculator([calculationOf('sma'), calculationOf('rsi')], withFaultyRsi(), 64)
    calculator.add(candleAt(0))
    expect(() => calculator.compute()).toThrow(named)
  })

  it('ends a command with one line and exit code 1', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const mom = calculationOf('mom')
    // A negative period: the kernel takes candles far behind the newest one.
    const indicator = { ...mom.indicator, lookback: () => 0 }
    const faulty: Calculation = { ...mom, indicator, params: { period: -100_000_000 } }
    async function* candles() {
      yield [candleAt(0)]
      yield [candleAt(1)]
    }
    await action(async () => {
      for await (const _ of computeText([faulty], candles(), { format: 'csv', isNamed: false }));
    })()
    expect(printed.mock.calls).toEqual([[`candela: ${named.replace('rsi', 'mom')}`]])
    expect(process.exitCode).toBe(1)
  })
})

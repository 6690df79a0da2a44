import { expect, it, vi } from 'vitest'
import { sourceFactory } from '../../../src/markets/exchanges/source-factory.js'
import { Sequence } from '../../../src/runtime/sequence.js'

it('does one piece of work after the other, in their order', async () => {
  const sequence = new Sequence()
  const events: string[] = []
  const work = (name: string) => async () => {
    events.push(`${name} begins`)
    await new Promise(resolve => setImmediate(resolve))
    events.push(`${name} ends`)
    return name
  }
  const names = await Promise.all(['a', 'b', 'c'].map(name => sequence.run(work(name))))
  expect(names).toEqual(['a', 'b', 'c'])
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

it('goes on after work that fails', async () => {
  const sequence = new Sequence()
  const failed = sequence.run(() => Promise.reject(new Error('broken')))
  const next = sequence.run(async () => 'next')
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('next')
})

it('is the one in which the exchanges of ccxt are opened', async () => {
  const run = vi.spyOn(Sequence.prototype, 'run').mockRejectedValue(new Error('not opened'))
  try {
    const create = sourceFactory({ exchanges: {}, stocks: {}, fetchTimeoutMs: 1000 })
    for (const id of ['binance', 'kraken']) {
      const candles = async () => create(id, {}).candles('BTCUSDT', '1h', 1)
      await expect(candles()).rejects.toThrow(`${id} could not be set up`)
    }
    expect(run.mock.contexts).toHaveLength(2)
    expect(run.mock.contexts[0], 'the same sequence').toBe(run.mock.contexts[1])
  } finally {
    run.mockRestore()
  }
})

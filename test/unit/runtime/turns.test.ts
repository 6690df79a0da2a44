import { expect, it, vi } from 'vitest'
import { sourceFactory } from '../../../src/exchanges/source-factory.js'
import { Turns } from '../../../src/runtime/turns.js'

it('runs one piece of work after the other, and in between what else is due', async () => {
  const turns = new Turns()
  const events: string[] = []
  const work = (name: string) => async () => {
    events.push(`${name} begins`)
    setImmediate(() => events.push(`after ${name}`))
    await Promise.resolve()
    events.push(`${name} ends`)
    return name
  }
  const names = await Promise.all(['a', 'b', 'c'].map(name => turns.run(work(name))))
  expect(names).toEqual(['a', 'b', 'c'])
  expect(events).toEqual([
    ...['a begins', 'a ends', 'after a', 'b begins', 'b ends', 'after b', 'c begins', 'c ends'],
  ])
})

it('goes on after work that fails', async () => {
  const turns = new Turns()
  const failed = turns.run(() => Promise.reject(new Error('broken')))
  const next = turns.run(async () => 'next')
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('next')
})

it('are taken by the exchanges of ccxt when they are opened', async () => {
  const run = vi.spyOn(Turns.prototype, 'run').mockRejectedValue(new Error('not opened'))
  try {
    const create = sourceFactory({ exchanges: {}, stocks: {}, fetchTimeoutMs: 1000 })
    for (const id of ['binance', 'kraken']) {
      const candles = async () => create(id, {}).candles('BTCUSDT', '1h', 1)
      await expect(candles()).rejects.toThrow(`${id} could not be set up`)
    }
    expect(run.mock.contexts).toHaveLength(2)
    expect(run.mock.contexts[0], 'the same turns').toBe(run.mock.contexts[1])
  } finally {
    run.mockRestore()
  }
})

import { describe, expect, it } from 'vitest'
import { LevelStore, readLevels } from '../../page/view/levels.js'

const btc = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' } as const

describe('levels', () => {
  it('are added, moved and removed by market, whatever the timeframe', () => {
    const store = new LevelStore()
    store.add(btc, { study: undefined, value: 57_200 })
    store.add(btc, { study: 'rsi', value: 45 })
    expect(store.of({ ...btc, timeframe: '1d' })).toEqual([
      { id: '1', study: undefined, value: 57_200 },
      { id: '2', study: 'rsi', value: 45 },
    ])
    expect(store.of({ ...btc, symbol: 'ETHUSDT' })).toEqual([])
    store.move(btc, '2', 50)
    store.remove(btc, '1')
    expect(store.of(btc)).toEqual([{ id: '2', study: 'rsi', value: 50 }])
    store.add(btc, { study: undefined, value: 1 })
    expect(store.of(btc).map(({ id }) => id)).toEqual(['2', '3'])
  })

  it('that cannot be read are left out, and there is a bound', () => {
    const level = { id: '1', value: 5 }
    const stored = {
      a: [level, { id: 2, value: 5 }, { id: '3', value: '5' }, null, { ...level, study: 4 }],
      b: 5,
    }
    expect(readLevels(stored)).toEqual({ a: [level], b: [] })
    expect(readLevels(null)).toEqual({})
    expect(readLevels({ a: Array.from({ length: 60 }, () => level) }).a).toHaveLength(50)
  })
})

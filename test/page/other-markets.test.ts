import { describe, expect, it } from 'vitest'
import { changeSince, closesAt } from '../../page/model/comparison.js'
import { Loader } from '../../page/model/loader.js'
import type { OtherMarket } from '../../page/model/other-market.js'
import { OtherMarkets } from '../../page/model/other-markets.js'
import type { Candle } from '../../page/model/rows.js'
import { ServiceClient } from '../../page/service/client.js'
import { LayoutStore, readLayouts } from '../../page/view/layouts.js'
import { marketOf } from '../../page/view/view.js'
import { flatCandle } from '../support/flat-candle.js'

const eth = { exchange: 'demo', symbol: 'ETHUSDT', timeframe: '1m' } as const
const minutes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => flatCandle(from + at))
const updateOf = (candle: Candle) => ({
  subscription: 'demo:ethusdt:1m',
  indicator: 'candle',
  data: { ...candle },
})

/** Other markets of a service whose newest candle is that of minute `now`, and whose oldest one is that of minute 5. */
function start() {
  let now = 20
  const requests: string[] = []
  const changes: string[] = []
  const fetch = async ({ searchParams }: URL) => {
    const field = (name: string) => Number(searchParams.get(name))
    requests.push(`${searchParams.get('symbol')} ${field('results') || `${field('from')}-${field('to')}`}`)
    if (searchParams.get('symbol') === 'NOSUCH')
      return new Response(JSON.stringify({ error: 'There is none.' }), { status: 404 })
    const all = minutes(5, now)
    const body = searchParams.has('results')
      ? all.slice(-field('results'))
      : all.filter(({ timestamp }) => timestamp >= field('from') && timestamp <= field('to'))
    return new Response(JSON.stringify(body))
  }
  const client = new ServiceClient({
    base: 'http://x/',
    key: () => 'k',
    fetch: fetch as unknown as typeof globalThis.fetch,
  })
  const markets = new OtherMarkets({
    loader: new Loader({ client, onStatus: () => {} }),
    prefix: 'c',
    onFollow: () => {},
    onChange: ({ market }, isLive) => changes.push(`${market.symbol} ${isLive ? 'live' : 'all'}`),
  })
  const settled = () => new Promise(resolve => setTimeout(resolve))
  const pass = (minute: number) => {
    now = minute
  }
  return { markets, requests, changes, settled, pass }
}
const timesOf = ({ candles }: OtherMarket) => candles.map(({ timestamp }) => timestamp / 60)

describe('other markets', () => {
  it('are loaded once, followed, and reach back as far as there are candles', async () => {
    const { markets, requests, changes, settled } = start()
    markets.show([eth], 3)
    markets.show([eth], 9)
    await settled()
    const [other] = markets.all as [OtherMarket]
    expect(timesOf(other)).toEqual([18, 19, 20])
    expect(markets.subscriptions).toEqual([{ id: 'c1', market: eth, indicator: 'candle', params: {} }])
    markets.receive(updateOf(flatCandle(20, 77)))
    markets.receive(updateOf(flatCandle(21)))
    markets.receive({ ...updateOf(flatCandle(22)), subscription: 'demo:btcusdt:1m' })
    expect(other.candles.slice(-2).map(({ close }) => close)).toEqual([77, 21])
    await other.reach(3 * 60)
    await other.reach(3 * 60)
    expect(timesOf(other)).toEqual(Array.from({ length: 17 }, (_, at) => 5 + at))
    expect(requests).toEqual(['ETHUSDT 3', `ETHUSDT ${3 * 60}-${17 * 60}`])
    expect(changes).toEqual(['ETHUSDT all', 'ETHUSDT live', 'ETHUSDT live', 'ETHUSDT all'])
    markets.show([], 3)
    expect(markets.all).toEqual([])
  })

  it('fetch what they missed', async () => {
    const { markets, settled, pass } = start()
    markets.show([eth], 3)
    await settled()
    const [other] = markets.all as [OtherMarket]
    pass(22)
    markets.receive(updateOf(flatCandle(22)))
    await settled()
    expect(timesOf(other)).toEqual([18, 19, 20, 21, 22])
    pass(23)
    markets.reconnected()
    markets.receive(updateOf(flatCandle(23, 5)))
    await settled()
    expect(other.candles.at(-1)?.close, 'it was fetched, because the connection was lost').toBe(23)
  })

  it('say why they have no candles, or why these do not move', async () => {
    const { markets, settled } = start()
    markets.show([eth, { ...eth, symbol: 'NOSUCH' }], 3)
    await settled()
    markets.refuseSubscription('c1', 'The plan has no more subscriptions.')
    markets.refuseSubscription('c2', 'unknown')
    expect(markets.all.map(({ error }) => error)).toEqual([
      'Not live: The plan has no more subscriptions.',
      'There is none.',
    ])
  })

  it('are named by exchange and symbol', () => {
    expect(marketOf('demo:ETHUSDT', '1m')).toEqual(eth)
    for (const key of ['ETHUSDT', ':ETHUSDT', 'demo:', 'demo:A B', 'DEMO:ETH', 'a:b:c'])
      expect(marketOf(key, '1m'), key).toBeUndefined()
  })
})

describe('the comparison', () => {
  it('has a close at each candle of the chart, or none', () => {
    // Of a market whose candles open half a minute later, and that rests a while.
    const others = [0, 1, 3].map(minute => ({
      ...flatCandle(minute, 10 + minute),
      timestamp: minute * 60 + 30,
    }))
    const closes = closesAt(minutes(-1, 4), others, 60)
    expect(closes.map(({ close }) => close)).toEqual([undefined, 10, 11, undefined, 13, undefined])
    expect(changeSince(closes, 0, undefined)).toBeCloseTo(30)
    expect(changeSince(closes, -60, 60), 'until the candle that is pointed at').toBeCloseTo(10)
    expect(changeSince(closes, 60, undefined), 'from the first one that is on the screen').toBeCloseTo(
      100 * (13 / 11 - 1),
    )
    expect(changeSince(closes, 0, 120)).toBeUndefined()
    expect(changeSince([], 0, undefined)).toBeUndefined()
  })
})

describe('layouts', () => {
  it('are added, opened, changed and removed, which can be taken back', () => {
    const layouts = new LayoutStore()
    expect(layouts.open).toBeUndefined()
    const one = layouts.add('Scalping', '?a')
    const two = layouts.add('Long term', '?b')
    layouts.choose(one)
    layouts.change(one, { search: '?c' })
    layouts.change(two, { name: 'Weeks' })
    expect(layouts.open).toEqual({ id: one, name: 'Scalping', search: '?c' })
    const restore = layouts.remove(one)
    expect(layouts.open).toBeUndefined()
    expect(layouts.all.map(({ name }) => name)).toEqual(['Weeks'])
    restore()
    expect(layouts.open?.name).toBe('Scalping')
    expect(layouts.all.map(({ name }) => name)).toEqual(['Scalping', 'Weeks'])
  })

  it('that cannot be read are left out', () => {
    const layout = { id: '1', name: 'a', search: '?' }
    expect(readLayouts([layout, null, { id: 1 }, { ...layout, search: 5 }])).toEqual([layout])
    for (const stored of [null, 'a', {}]) expect(readLayouts(stored)).toEqual([])
  })
})

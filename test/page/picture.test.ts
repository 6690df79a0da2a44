import { beforeEach, describe, expect, it } from 'vitest'
import { readCatalogue } from '../../page/model/catalogue.js'
import { Loader } from '../../page/model/loader.js'
import { Picture } from '../../page/model/picture.js'
import type { Status } from '../../page/model/status.js'
import { noteSettling, type StudyData } from '../../page/model/study-data.js'
import { ServiceClient } from '../../page/service/client.js'
import type { Subscription, Update } from '../../page/service/streaming.js'
import { type View, withChangedStudy, withoutStudy, withStudy } from '../../page/view/view.js'
import { describe as describeEntry } from '../../src/catalogue/description.js'
import { catalogue as entries } from '../../src/catalogue/index.js'
import { flatCandle } from '../support/flat-candle.js'

const catalogue = readCatalogue({ indicators: [...entries.values()].map(describeEntry) })
const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' } as const
const view = withStudy({ market, studies: [] }, 'rsi')

const update = (indicator: string, data: object, params = {}): Update => ({
  subscription: 'demo:btcusdt:1m',
  indicator,
  params,
  data: data as Update['data'],
})
const candleUpdate = (minute: number, close = minute) => update('candle', flatCandle(minute, close))
const rsiUpdate = (minute: number, rsi: number, period = 14) =>
  update('rsi', { rsi, timestamp: minute * 60 }, { period })

type Reply = { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> }

/** A service whose market has the candles up to `now`, and answers only when the test lets it. */
function start(first: View = view) {
  let now = 600
  const requests: string[] = []
  const held: (() => void)[] = []
  let isHolding = false
  let asked: readonly string[] = []
  let replies: Reply[] = []
  const statuses: Status[] = []
  const pauses: number[] = []
  let followed: readonly Subscription[] = []

  const rowsOf = (results: number, backtrack: number) =>
    Array.from({ length: Math.min(results, now - backtrack) }, (_, at) => now - backtrack - at).reverse()
  const answer = (url: URL, init: RequestInit | undefined): Reply => {
    const queued = replies.shift()
    if (queued) return queued
    if (url.pathname === '/candles') {
      const [results, backtrack] = ['results', 'backtrack'].map(name => Number(url.searchParams.get(name)))
      return {
        status: 200,
        body: rowsOf(results as number, backtrack as number).map(minute => flatCandle(minute)),
      }
    }
    const { indicators } = JSON.parse(String(init?.body)).constructs[0]
    asked = indicators.map(({ id }: { id: string }) => id)
    const chart = Object.fromEntries(
      indicators.map(({ id, results, backtrack = 0, period = 14 }: Record<string, number>) => {
        const minutes = rowsOf(results as number, backtrack)
        const result = {
          value: minutes.map(each => each + (period as number) / 100),
          timestamp: minutes.map(each => each * 60),
        }
        // The service keeps 600 candles, of which the values after the first 200 have settled.
        return [id, { result, errors: [], settled: { digits: 8, from: 12_000 } }]
      }),
    )
    return { status: 200, body: { chart } }
  }
  const fetch = async (url: URL, init?: RequestInit) => {
    requests.push(
      `${url.pathname.slice(1)}${url.searchParams.size > 0 ? ` ${url.searchParams.get('results')} ${url.searchParams.get('backtrack') ?? 0}` : ''}`,
    )
    await (isHolding ? new Promise<void>(resolve => held.push(resolve)) : undefined)
    const { status, body, headers = {} } = answer(url, init)
    return new Response(JSON.stringify(body), { status, headers })
  }
  const client = new ServiceClient({
    base: 'http://x/',
    key: () => 'k',
    fetch: fetch as typeof globalThis.fetch,
  })
  const loader = new Loader({
    client,
    onStatus: status => statuses.push(status),
    pause: async ms => void pauses.push(ms),
  })
  const drawn: string[] = []
  let beginning: string | undefined
  const picture = new Picture({
    loader,
    catalogue: async () => catalogue,
    follow: subscriptions => {
      followed = subscriptions
    },
    listener: () => ({
      onStatus: status => void statuses.push(status),
      onCandles: () => void drawn.push('all'),
      onCandle: ({ timestamp }) => void drawn.push(`candle ${timestamp / 60}`),
      onStudy: id => void drawn.push(`study ${id}`),
      onStudyRow: (id, { timestamp }) => void drawn.push(`row ${id} ${timestamp / 60}`),
      onBeginning: reason => {
        beginning = reason
      },
    }),
    findNear: async () => [{ ...market, symbol: 'ETHUSDT' }],
  })
  picture.show(first)
  return {
    picture,
    beginning: () => beginning,
    requests,
    statuses,
    pauses,
    drawn,
    refuse: (indicator: string, error: string) => {
      const found = followed.find(subscription => subscription.indicator === indicator)
      picture.refuseSubscription(found?.id ?? '', error)
    },
    followed: () => followed.map(({ indicator, params }) => `${indicator} ${JSON.stringify(params)}`),
    reply: (...next: Reply[]) => {
      replies = next
    },
    hold() {
      isHolding = true
    },
    async release() {
      isHolding = false
      for (const resolve of held.splice(0)) resolve()
      await settled()
    },
    /** The indicators of the last bulk request. */
    asked: () => asked,
    to(minute: number) {
      now = minute
    },
    kinds: () => statuses.map(({ kind }) => kind),
    /** Minutes of the candles, and of the values, with their distance to each other. */
    shape() {
      const minutes = picture.candles.map(({ timestamp }) => timestamp / 60)
      const gaps = minutes.slice(1).filter((minute, at) => minute !== (minutes[at] as number) + 1)
      const values = (picture.studies.get('rsi')?.rows ?? []).map(({ timestamp }) => timestamp / 60)
      return { from: minutes[0], to: minutes.at(-1), gaps, sameValues: values.join() === minutes.join() }
    },
  }
}

/** Lets everything happen that waits for nothing but promises. */
async function settled() {
  for (let n = 0; n < 60; n++) await new Promise(resolve => setImmediate(resolve))
}

it('values have settled from the time on that a reply says; never, or later, where it says none', () => {
  const data: Pick<StudyData, 'settledFrom'> = { settledFrom: undefined }
  const after = (settled4: number | null, said: number | null, isNewest: boolean) => {
    noteSettling(data, { settled4 }, said, isNewest)
    return data.settledFrom
  }
  expect(after(1582, null, true)).toBe(Number.POSITIVE_INFINITY)
  expect(after(1582, 9000, false)).toBe(9000)
  expect(after(1582, 12_000, false), 'older candles that settle later change nothing').toBe(9000)
  expect(after(1582, 12_000, true)).toBe(12_000)
  expect(after(null, null, true), 'a value that each candle changes is not drawn otherwise').toBe(undefined)
})

describe('a picture', () => {
  let service: ReturnType<typeof start>
  const rsi = () => service.picture.studies.get('rsi')?.rows.at(-1)?.values[0]

  beforeEach(async () => {
    service = start()
    await settled()
  })

  it('begins with one request for candles and one for all indicators, and follows both', () => {
    expect(service.requests).toEqual(['candles 500 0', 'bulk'])
    expect(service.shape()).toEqual({ from: 101, to: 600, gaps: [], sameValues: true })
    expect(service.picture.studies.get('rsi')?.settledFrom).toBe(12_000)
    expect(service.followed()).toEqual(['candle {}', 'rsi {}'])
    expect(service.kinds().at(-1)).toBe('live')
  })

  it('replaces the forming candle, appends the next one, and asks for nothing', () => {
    service.picture.receive(candleUpdate(600, 7))
    service.picture.receive(candleUpdate(601))
    service.picture.receive(rsiUpdate(601, 55))
    expect(service.picture.candles.slice(-2).map(({ close }) => close)).toEqual([7, 601])
    expect(rsi()).toBe(55)
    expect(service.shape()).toMatchObject({ to: 601, gaps: [], sameValues: true })
    expect(service.requests).toHaveLength(2)
  })

  it('ignores updates of other markets and of other parameters', () => {
    service.picture.receive({ ...candleUpdate(601), subscription: 'demo:ethusdt:1m' })
    service.picture.receive(rsiUpdate(600, 55, 21))
    expect(service.shape().to).toBe(600)
    expect(rsi()).toBe(600.14)
  })

  it('fetches after a broken connection what it missed, and applies what arrives meanwhile', async () => {
    service.to(640)
    service.picture.reconnected()
    service.hold()
    service.picture.receive(candleUpdate(640, 3))
    service.picture.receive(rsiUpdate(640, 33))
    service.picture.receive(candleUpdate(641, 4))
    service.picture.receive(rsiUpdate(641, 44))
    await settled()
    await service.release()
    expect(service.requests.slice(2), 'from the last known candle on, with one to spare').toEqual([
      'candles 42 0',
      'bulk',
    ])
    expect(service.shape()).toEqual({ from: 101, to: 641, gaps: [], sameValues: true })
    expect(service.picture.candles.slice(-2).map(({ close }) => close)).toEqual([3, 4])
    expect(rsi()).toBe(44)
    expect(service.kinds().at(-1)).toBe('live')
  })

  it('asks for nothing where the connection is back within the same candle', async () => {
    service.picture.reconnected()
    service.picture.receive(candleUpdate(600, 5))
    service.picture.receive(rsiUpdate(600, 50))
    service.picture.receive(candleUpdate(601))
    await settled()
    expect(service.requests).toHaveLength(2)
    expect([service.picture.candles.at(-2)?.close, rsi()]).toEqual([5, 50])
  })

  it('leaves out what cannot be computed when it fetches what it missed', async () => {
    service.picture.show(withStudy(view, 'sma', { period: 1000 }))
    await settled()
    service.to(605)
    service.picture.reconnected()
    service.picture.receive(candleUpdate(605))
    await settled()
    expect(service.asked()).toEqual(['rsi'])
    expect(service.picture.studies.get('sma')?.error).toContain('period must be')
    expect(service.shape()).toEqual({ from: 101, to: 605, gaps: [], sameValues: true })
  })

  it('fetches what was missed, too, where the service left candles out', async () => {
    service.to(605)
    service.picture.receive(candleUpdate(605))
    await settled()
    expect(service.shape()).toEqual({ from: 101, to: 605, gaps: [], sameValues: true })
  })

  it('loads older candles with their values until there are none', async () => {
    await service.picture.loadOlder()
    expect(service.requests.slice(2)).toEqual(['candles 501 499', 'bulk'])
    expect(service.shape()).toEqual({ from: 1, to: 600, gaps: [], sameValues: true })
    service.reply({ status: 429, body: { error: 'Rate limit exceeded.' }, headers: { 'retry-after': '1' } })
    await service.picture.loadOlder()
    expect(service.kinds().slice(-2), 'the state before is shown again').toEqual(['limited', 'live'])
    expect(service.beginning(), 'what is beyond the memory of the service is asked for by its time').toBe(
      'The service has no older candles.',
    )
    expect(service.requests.filter(request => request.startsWith('candles'))).toHaveLength(5)
    await service.picture.loadOlder()
    expect(service.requests.filter(request => request.startsWith('candles'))).toHaveLength(5)
  })

  it('says why there are no older candles', async () => {
    await service.picture.loadOlder()
    const error = 'The history begins at 1970-01-01 00:01:00, after from.'
    service.reply({ status: 200, body: [] }, { status: 400, body: { error } })
    await service.picture.loadOlder()
    expect(service.beginning()).toBe(error)
    service.picture.reload()
    expect(service.beginning(), 'another view has not been asked for them').toBeUndefined()
  })

  it('keeps a bounded number of candles', () => {
    for (let minute = 601; minute < 22_000; minute++) {
      service.picture.receive(candleUpdate(minute))
      service.picture.receive(rsiUpdate(minute, 1))
    }
    expect(service.picture.candles.length).toBeLessThanOrEqual(10_500)
    expect(service.picture.studies.get('rsi')?.rows.length).toBeLessThanOrEqual(10_501)
    expect(service.shape()).toMatchObject({ to: 21_999, gaps: [] })
  })

  it('fetches of a changed view only what is new', async () => {
    const two = withStudy(view, 'rsi', { period: 21 })
    service.picture.show(two)
    await settled()
    expect(service.requests.slice(2)).toEqual(['bulk'])
    expect(service.followed()).toEqual(['candle {}', 'rsi {}', 'rsi {"period":21}'])
    service.picture.receive(rsiUpdate(600, 70, 21))
    expect([rsi(), service.picture.studies.get('rsi_2')?.rows.at(-1)?.values[0]]).toEqual([600.14, 70])

    service.picture.show(withoutStudy(withChangedStudy(two, 'rsi', { isHidden: true }), 'rsi_2'))
    await settled()
    expect(service.requests).toHaveLength(3)
    expect(service.followed()).toEqual(['candle {}', 'rsi {}'])
  })

  it('follows equal calculations once, and shows their updates at both', async () => {
    service.picture.show(withStudy(view, 'rsi', { period: 14 }))
    await settled()
    expect(service.followed()).toEqual(['candle {}', 'rsi {}'])
    service.picture.receive(rsiUpdate(600, 70))
    expect(service.picture.studies.get('rsi_2')?.rows.at(-1)?.values[0]).toBe(70)
  })

  it('does not lose an update that arrives before the history of a new indicator', async () => {
    service.hold()
    service.picture.show(withChangedStudy(view, 'rsi', { params: { period: 21 } }))
    await settled()
    service.picture.receive(candleUpdate(601))
    service.picture.receive(rsiUpdate(601, 71, 21))
    await service.release()
    expect(service.shape()).toEqual({ from: 101, to: 601, gaps: [], sameValues: true })
    expect(rsi()).toBe(71)
  })

  it('says that values do not move where the plan allows no more subscriptions', async () => {
    service.hold()
    service.picture.show(withStudy(view, 'sma', { period: 5 }))
    await settled()
    service.refuse('sma', 'Too many subscriptions.')
    await service.release()
    const { error, notLive, rows } = service.picture.studies.get('sma') ?? {}
    expect([error, notLive, rows?.length]).toEqual([undefined, 'Too many subscriptions.', 500])
  })

  it('says what is wrong with a parameter, without asking for it', async () => {
    service.picture.show(withStudy(view, 'sma', { period: 1000 }))
    await settled()
    expect(service.picture.studies.get('sma')?.error).toBe('period must be a whole number from 1 to 500.')
    expect(service.requests).toHaveLength(2)
  })
})

describe('a picture that cannot be had', () => {
  const failing = async (...replies: Reply[]) => {
    const service = start()
    service.reply(...replies)
    await settled()
    return service
  }

  it('waits for candles that are fetched for the first time', async () => {
    const service = await failing({ status: 202, body: { pending: true, key: 'k' } })
    expect(service.kinds().slice(0, 3)).toEqual(['loading', 'pending', 'live'])
  })

  it('waits for the end of the window where the plan is used up', async () => {
    const reply = { status: 429, body: { error: 'Rate limit exceeded.' }, headers: { 'retry-after': '9' } }
    const service = await failing(reply)
    expect(service.kinds().slice(0, 3)).toEqual(['loading', 'limited', 'live'])
    expect(service.pauses[0]).toBeGreaterThan(8900)
    expect(service.shape().gaps).toEqual([])
  })

  it('is live again when the indicators have come after the end of the window', async () => {
    const service = start()
    service.reply(
      { status: 200, body: [flatCandle(599), flatCandle(600)] },
      { status: 429, body: { error: 'Rate limit exceeded.' }, headers: { 'retry-after': '9' } },
    )
    await settled()
    expect(service.kinds()).toEqual(['loading', 'live', 'limited', 'live'])
  })

  it('offers markets of similar names', async () => {
    const service = await failing({ status: 404, body: { error: 'Symbol not found: X on demo' } })
    expect(service.statuses.at(-1)).toEqual({
      kind: 'unknown-market',
      error: 'Symbol not found: X on demo',
      near: [{ ...market, symbol: 'ETHUSDT' }],
    })
  })

  it('asks for a key', async () => {
    const service = await failing({ status: 401, body: { error: 'Invalid or missing API key.' } })
    expect(service.kinds()).toEqual(['loading', 'no-key'])
  })

  it('tries again while the exchange, or the service, does not answer', async () => {
    const service = await failing(
      { status: 503, body: { error: 'Exchange unavailable' }, headers: { 'retry-after': '3' } },
      { status: 502, body: {} },
    )
    expect(service.kinds().slice(0, 4)).toEqual(['loading', 'unavailable', 'stopped', 'live'])
  })

  it('says that candles are old, until the next one arrives', async () => {
    const service = await failing({
      status: 200,
      body: [flatCandle(599), flatCandle(600)],
      headers: { warning: '110 - "Response is Stale"', age: '90000' },
    })
    service.picture.receive(candleUpdate(600))
    expect(service.kinds().at(-1), 'the last candle known is none that has arrived').toBe('stale')
    service.picture.receive(candleUpdate(600, 601))
    expect(service.kinds().at(-1)).toBe('live')
  })

  it('says that a market has no candles', async () => {
    const service = await failing({ status: 200, body: [] })
    expect(service.statuses.at(-1)).toEqual({
      kind: 'refused',
      error: 'BTCUSDT on demo has no candles of 1m yet.',
    })
  })
})

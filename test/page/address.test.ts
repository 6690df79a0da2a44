import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAddress, takeKey, writeAddress } from '../../page/view/address.js'
import { firstView, timeframeNames, type View, withChangedStudy, withStudy } from '../../page/view/view.js'

const market = { exchange: 'binance', symbol: 'ETHUSDT', timeframe: '4h' } as const

describe('the address of a view', () => {
  it('is read and written by people', () => {
    const empty: View = { market, studies: [] }
    const one = withStudy(empty, 'rsi', { period: 21, source: 'hl2' })
    const two = withChangedStudy(withStudy(one, 'bbands'), 'bbands', { isHidden: true })
    const address =
      '?exchange=binance&symbol=ETHUSDT&timeframe=4h&indicator=rsi,period:21,source:hl2&indicator=-bbands'
    expect(writeAddress(two)).toBe(address)
    expect(readAddress(address)).toEqual(two)
  })

  it('gives back every view', () => {
    const value = fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.constantFrom('hl2', 'wick', 'new york', 'a,b:c&d', '50%'),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter(each => !Object.is(each, -0)),
    )
    const study = fc.record({
      indicator: fc.stringMatching(/^[a-z0-9_]{1,20}$/),
      params: fc.dictionary(fc.stringMatching(/^[A-Za-z]\w{0,15}$/), value, { noNullPrototype: true }),
      look: fc.record(
        {
          colours: fc.array(fc.integer({ min: -1, max: 7 }), { minLength: 1, maxLength: 4 }),
          width: fc.constantFrom(1, 2, 3),
        },
        { requiredKeys: [] },
      ),
    })
    const symbol = fc.stringMatching(/^[a-z0-9]{1,20}:[A-Z0-9.&+]{1,20}$/)
    const view = fc.record({
      market: fc.record({
        exchange: fc.stringMatching(/^[a-z0-9]{1,20}$/),
        symbol: fc.stringMatching(/^[A-Z0-9.&+]{1,20}$/),
        timeframe: fc.constantFrom(...timeframeNames),
      }),
      studies: fc.array(study, { maxLength: 20 }),
      compared: fc.option(fc.uniqueArray(symbol, { minLength: 1, maxLength: 4 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(view, ({ market: any, studies, compared }) => {
        const whole = studies.reduce<View>(
          (before, { indicator, params, look }) => {
            const more = withStudy(before, indicator, params)
            return withChangedStudy(more, more.studies.at(-1)?.id ?? '', look)
          },
          { market: any, studies: [], ...(compared ? { compared } : {}) },
        )
        expect(readAddress(writeAddress(whole))).toEqual(whole)
      }),
    )
  })

  it('is the first view where nothing is said, and without indicators where an empty one is', () => {
    expect(readAddress('')).toEqual(firstView)
    expect(readAddress('?symbol=eth/usdt')).toEqual({
      ...firstView,
      market: { ...firstView.market, symbol: 'ETHUSDT' },
    })
    expect(writeAddress({ market, studies: [] })).toMatch(/&indicator=$/)
    expect(readAddress(writeAddress({ market, studies: [] })).studies).toEqual([])
  })

  it('ignores colours, widths and symbols that there are not', () => {
    const { studies, compared } = readAddress(
      '?compare=demo:ETHUSDT&compare=ETHUSDT&compare=demo:ETHUSDT&indicator=sma,_colours:9,_width:7&indicator=ema,_colours:2_x,_width:2',
    )
    expect(compared).toEqual(['demo:ETHUSDT'])
    expect(studies.map(({ colours, width, params }) => [colours, width, params])).toEqual([
      [undefined, undefined, {}],
      [undefined, 2, {}],
    ])
  })

  it('ignores what cannot be read', () => {
    const { market: read, studies } = readAddress(
      '?timeframe=7m&indicator=<b>&indicator=RSI,period,:4,x:1&indicator=../x',
    )
    expect(read.timeframe).toBe('1h')
    expect(studies).toEqual([{ id: 'rsi', indicator: 'rsi', params: { x: 1 }, isHidden: false }])
  })

  it('holds twenty indicators at most, each with an id of its own', () => {
    const { studies } = readAddress(`?${'indicator=rsi&'.repeat(30)}`)
    expect(studies).toHaveLength(20)
    expect(new Set(studies.map(({ id }) => id)).size).toBe(20)
    expect(studies.map(({ id }) => id).slice(0, 3)).toEqual(['rsi', 'rsi_2', 'rsi_3'])
  })
})

describe('the key in the fragment', () => {
  it('is taken out of it', () => {
    expect(takeKey('#key=cnd_a-b')).toEqual({ key: 'cnd_a-b', rest: '' })
    expect(takeKey('#key=cnd_a%2Db&section')).toEqual({ key: 'cnd_a-b', rest: '#section' })
    expect(takeKey('#section')).toEqual({ key: undefined, rest: '#section' })
    expect(takeKey('')).toEqual({ key: undefined, rest: '' })
    expect(takeKey('#key=%')).toEqual({ key: '%', rest: '' })
    expect(takeKey('#key=')).toEqual({ key: undefined, rest: '' })
  })

  it('is never in an address that is written', () => {
    const view = readAddress('?key=cnd_secret&exchange=demo')
    expect(writeAddress(view)).not.toContain('cnd_')
  })
})

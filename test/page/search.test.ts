import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCatalogue } from '../../page/model/catalogue.js'
import { findAbsent, findIndicators, readSearch, startParameters } from '../../page/model/indicator-search.js'
import { findMarkets, nearNames, readMarketQuery } from '../../page/model/market-search.js'
import { atTimeframe, pageDefaults, tradingViewDefaults } from '../../page/model/page-defaults.js'
import { readParameter } from '../../page/model/parameter-check.js'
import type { Parameters } from '../../page/view/view.js'
import { describe as describeEntry } from '../../src/catalogue/description.js'
import { catalogue as entries } from '../../src/catalogue/index.js'

const exchanges = [
  'binance',
  'binanceusdm',
  'btcalpha',
  'btcmarkets',
  'demo',
  'kraken',
  'stocks',
  'stocks-raw',
]

describe('a query for a market', () => {
  it.each([
    ['btc 1h', 'BTC', '1h', []],
    ['bitcoin 1h', 'BTC', '1h', []],
    ['BTC/USDT', 'BTCUSDT', undefined, []],
    ['kraken:eth-usd 15m', 'ETHUSD', '15m', ['kraken']],
    ['stocks aapl 1d', 'AAPL', '1d', ['stocks']],
    ['stocks-raw aapl 1d', 'AAPL', '1d', ['stocks-raw']],
    ['eth h', 'ETH', '1h', []],
    ['binance btc', 'BTC', undefined, ['binance']],
    ['bina btc', 'BTC', undefined, ['binance', 'binanceusdm']],
    ['btcm', 'BTCM', undefined, []],
    ['kraken', '', undefined, ['kraken']],
    ['1inch', '1INCH', undefined, []],
    ['', '', undefined, []],
  ])('%j', (text, symbol, timeframe, named) => {
    expect(readMarketQuery(text, exchanges)).toEqual({ symbol, timeframe, exchanges: named })
  })

  it('finds the exact symbol first, then those against a currency, then the rest', () => {
    const symbols = new Map([
      ['demo', ['ETHBTC', 'BTCDOWN', 'BTCUSDT', 'BTC']],
      ['kraken', ['BTCUSD', 'WBTCUSD']],
    ])
    const find = (text: string) =>
      findMarkets(readMarketQuery(text, exchanges), symbols, '4h', 10).map(
        ({ exchange, symbol, timeframe }) => `${exchange} ${symbol} ${timeframe}`,
      )
    expect(find('btc 1h')).toEqual([
      'demo BTC 1h',
      'kraken BTCUSD 1h',
      'demo BTCUSDT 1h',
      'demo BTCDOWN 1h',
      'demo ETHBTC 1h',
      'kraken WBTCUSD 1h',
    ])
    expect(find('kraken wbtc')).toEqual(['kraken WBTCUSD 4h'])
    expect(find('nothing')).toEqual([])
  })

  it('offers names that are spelled alike, and no guesses', () => {
    expect(nearNames('BTCUSD', ['ETHBTC', 'BTCUSDT', 'LTCUSDT'])).toEqual(['BTCUSDT'])
    expect(nearNames('binnance', exchanges)).toEqual(['binance'])
    expect(nearNames('zzzzzz', exchanges)).toEqual([])
  })
})

describe('the search for an indicator', () => {
  const catalogue = readCatalogue({ indicators: [...entries.values()].map(describeEntry) })
  const find = (text: string) =>
    findIndicators(catalogue, text, [], []).flatMap(({ entries: found }) => found.map(({ id }) => id))

  it('finds by id, title, abbreviation, initials and category', () => {
    expect(find('rsi')[0]).toBe('rsi')
    expect(find('RSI ')[0]).toBe('rsi')
    expect(find('bollinger')[0]).toBe('bbands')
    expect(find('bb').slice(0, 4)).toContain('bbands')
    expect(find('exp mov av').slice(0, 3)).toContain('ema')
    expect(find('volatility')).toContain('atr')
    expect(find('xyzzy')).toEqual([])
    expect(find('bull power')[0]).toBe('elderray')
    expect(find('kri')[0]).toBe('disparityindex')
  })

  it('finds what a group of indicators is called by people', () => {
    expect(find('smart money')).toEqual(expect.arrayContaining(['orderblocks', 'fvg', 'bos']))
    expect(find('chart pattern')).toEqual(expect.arrayContaining(['doubletop', 'headandshoulders']))
    expect(find('harmonic')).toEqual(expect.arrayContaining(['harmean', 'gartley', 'bat', 'crab', 'shark']))
    // A word of the description, after everything that has it in its name.
    expect(find('overbought')).toContain('rsi')
  })

  it('finds what other programs call so, and what is spelled alike', () => {
    expect(find('pivot points standard')[0]).toBe('pivotpoints')
    expect(find('bolinger')[0]).toBe('bbands')
    expect(find('vix fix')[0]).toBe('williamsvixfix')
    for (const name of ['volume profile', 'poc', 'vah', 'value area low', 'market profile'])
      expect(find(name)[0]).toBe('volumeprofile')
    expect(find('auto fib')[0]).toBe('fibonacciretracement')
    expect(find('supertrand')[0]).toBe('supertrend')
    expect(find('stochastik rsi')[0]).toBe('stochrsi')
    const [group] = findIndicators(catalogue, 'bolinger', [], [])
    expect(group?.title).toBe('Did you mean “bollinger”?')
    expect(find('btcusdt')).toEqual([])
  })

  it('says why an indicator is absent, and which expression has its values', () => {
    expect(findAbsent('volume profile').map(({ name }) => name)).toContain('Volume profile')
    expect(findAbsent('price relative strength')).toEqual([
      {
        name: 'Price relative strength (PRS)',
        reason: 'An expression: close / close{SPY}',
        expression: 'close / close{SPY}',
      },
    ])
    expect(findAbsent('renko')[0]?.expression).toBeUndefined()
    expect(findAbsent('btcusdt')).toEqual([])
    expect(findAbsent('')).toEqual([])
  })

  it('takes the numbers after a name as its parameters, where they may be that', () => {
    const read = (text: string) => {
      const { words, numbers } = readSearch(text, catalogue)
      const [id = ''] = find(words)
      const description = catalogue.get(id)
      return [id, description && startParameters(description, numbers, pageDefaults(id, '1h'))]
    }
    expect(read('sma 50')).toEqual(['sma', { period: 50 }])
    expect(read('ema(200)')).toEqual(['ema', { period: 200 }])
    expect(read('macd 5 35')).toEqual(['macd', { fastPeriod: 5, slowPeriod: 35 }])
    expect(read('rsi 14')).toEqual(['rsi', {}])
    expect(read('rsi 9999')).toEqual(['rsi', {}])
    expect(read('sma200')).toEqual(['sma', { period: 200 }])
    expect(read('t3')).toEqual(['t3', {}])
    expect(read('stochrsi')).toEqual(['stochrsi', { kPeriod: 3 }])
    expect(read('supertrend 7')).toEqual(['supertrend', {}])
    expect(readSearch('3 inside', catalogue)).toEqual({ words: '3 inside', numbers: [] })
  })

  it('starts with the defaults of TradingView, which exist and differ from those of the service', () => {
    for (const [id, params] of Object.entries(tradingViewDefaults))
      for (const [name, value] of Object.entries(params)) {
        const parameter = catalogue.get(id)?.parameters.find(each => each.name === name)
        expect(parameter && readParameter(parameter, String(value)), `${id} ${name}`).toEqual({ value })
        expect(parameter?.default, `${id} ${name}`).not.toBe(value)
      }
  })

  it('starts with the defaults that the document has', () => {
    const rows = Object.entries(tradingViewDefaults).flatMap(([id, params]) =>
      Object.entries(params).map(([name, value]) => {
        const standard = catalogue.get(id)?.parameters.find(each => each.name === name)?.default
        return `| \`${id}\` | \`${name}=${standard}\` | \`${name}=${value}\` |`
      }),
    )
    const document = readFileSync(new URL('../../docs/tradingview.md', import.meta.url), 'utf8')
    const [, section = ''] = document.split('## Defaults that differ')
    expect(section.split('\n## ')[0]?.match(/^\| `.*$/gm)).toEqual(rows)
  })

  it('gives pivot points the span that fits the timeframe, until a person has chosen another one', () => {
    const study = (params: Parameters) => ({ id: 'x', indicator: 'pivotsclassic', params, isHidden: false })
    const anchors = (['15m', '1h', '1d', '1w'] as const).map(
      each => pageDefaults('pivotsclassic', each).anchor,
    )
    expect(anchors).toEqual([undefined, 'week', 'month', 'month'])
    const move = (params: Parameters, from: '1h' | '15m', to: '1d') =>
      atTimeframe([study(params)], from, to)[0]?.params
    expect(move({ anchor: 'week' }, '1h', '1d')).toEqual({ anchor: 'month' })
    expect(move({}, '15m', '1d')).toEqual({ anchor: 'month' })
    expect(move({}, '1h', '1d')).toEqual({})
    const sma = { ...study({}), indicator: 'sma' }
    expect(atTimeframe([sma], '1h', '1d')).toEqual([sma])
  })

  it('finds each indicator first by its own id', () => {
    for (const id of catalogue.keys()) expect(find(id)[0], id).toBe(id)
  })

  it('begins with favourites and recent ones, each once, and then has everything', () => {
    const groups = findIndicators(catalogue, '', ['atr'], ['rsi', 'atr', 'gone'])
    expect(groups.slice(0, 2).map(({ title, entries: found }) => [title, found.map(({ id }) => id)])).toEqual(
      [
        ['Favourites', ['atr']],
        ['Recent', ['rsi']],
      ],
    )
    expect(groups[2]?.title).toBe('Popular')
    expect(groups[2]?.entries.map(({ id }) => id)).toEqual(expect.arrayContaining(['macd', 'bbands', 'ema']))
    const rest = groups.slice(3).flatMap(({ entries: found }) => found)
    expect(new Set(rest).size).toBe(catalogue.size)
  })
})

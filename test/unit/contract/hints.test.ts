import { describe, expect, it } from 'vitest'
import {
  didYouMean,
  hasKeyField,
  isKeyField,
  nearFields,
  nearNames,
  nearSymbols,
} from '../../../src/contract/hints.js'
import { nearIndicators, nearPaths } from '../../../src/contract/near-indicators.js'

describe('names near an unknown one', () => {
  const names = [
    'rsi',
    'roc',
    'macd',
    'macdext',
    'stochrsi',
    'stoch_rsi',
    'supertrend',
    'btcusdt',
    'BTC/USDT',
  ]

  it.each<[string, readonly string[]]>([
    // One letter of a short name, two of a longer one.
    ['rssi', ['rsi']],
    ['macdex', ['macdext', 'macd']],
    ['macddd', ['macd']],
    ['macdddd', []],
    ['supertrand', ['supertrend']],
    ['supertrent2', ['supertrend']],
    ['supertrentxx', []],
    // Two letters that are exchanged are one fault.
    ['mcad', ['macd']],
    // Case and separators are no fault: a name that differs only in them is the only hint.
    ['MACD', ['macd']],
    ['macd-ext', ['macdext']],
    ['stoch-rsi', ['stochrsi', 'stoch_rsi']],
    ['BTC_USDT', ['btcusdt', 'BTC/USDT']],
    // The nearest one stands first.
    ['macdexx', ['macdext']],
    ['', []],
    ['--', []],
    ['x', []],
    ['x'.repeat(41), []],
  ])('of %j', (name, near) => {
    expect(nearNames(name, names)).toEqual(near)
  })

  it('are the nearest three, the nearest one first', () => {
    expect(nearNames('abcdefgh', ['abcdefxy', 'abcdefgx', 'abcdexyh', 'abcdxfgx', 'xbcdefgx'])).toEqual([
      'abcdefgx',
      'abcdefxy',
      'abcdexyh',
    ])
  })

  it('are no others beside one that differs in case or separators only', () => {
    expect(nearNames('MACD', ['mac', 'macd', 'macds'])).toEqual(['macd'])
    expect(nearNames('m.a-c_d', ['macd'])).toEqual(['macd'])
    expect(nearNames('macs', ['mac', 'macd'])).toEqual(['mac', 'macd'])
  })

  it('are not all names with the same letters', () => {
    expect(nearNames('fedcba', ['abcdef'])).toEqual([])
    expect(nearNames('abdcef', ['abcdef'])).toEqual(['abcdef'])
    expect(nearNames('dcba', ['abcd'])).toEqual([])
    expect(nearNames('abxy', ['abcd'])).toEqual([])
  })

  it('are not names of which every letter differs', () => {
    expect(nearNames('a', ['b', 'ab'])).toEqual([])
    expect(nearNames('ab', ['ac'])).toEqual(['ac'])
  })

  it('are found for 40 characters and not for 41', () => {
    const name = 'x'.repeat(40)
    expect(nearNames(name, [name.slice(1)])).toEqual([name.slice(1)])
    expect(nearNames(`${name}x`, [name])).toEqual([])
  })
})

describe('fields near an unknown one', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['pair', ['exchange', 'symbol'], ['symbol']],
    ['TICKER', ['exchange', 'symbol'], ['symbol']],
    ['tf', ['exchange', 'timeframe'], ['timeframe']],
    ['tf', ['exchange', 'interval'], ['interval']],
    ['interval', ['timeframe'], ['timeframe']],
    ['timeframe', ['interval'], ['interval']],
    ['limit', ['results'], ['results']],
    ['offset', ['backtrack'], ['backtrack']],
    ['length', ['period'], ['period']],
    // A name that another service uses for something which is not accepted here is compared by its letters.
    ['length', ['lengths'], ['lengths']],
    ['count', ['symbol'], []],
    ['peroid', ['period', 'source'], ['period']],
    ['constructor', ['symbol'], []],
    ['fast', ['fastPeriod', 'slowPeriod', 'source'], ['fastPeriod']],
    ['fa', ['fastPeriod'], []],
  ])('%s among %j', (name, accepted, near) => {
    expect(nearFields(name, accepted)).toEqual(near)
  })
})

describe('symbols near one that other programs write so', () => {
  const listed = ['BTCUSD', 'BTCUSDT', 'ETHUSDT', 'LTCUSDT']
  it.each<[string, readonly string[]]>([
    ['BTC', ['BTCUSDT', 'BTCUSD']],
    ['ETH', ['ETHUSDT']],
    ['BTCUSDT:USDT', ['BTCUSDT']],
    ['BTCUSDT_PERP', ['BTCUSDT']],
    ['BTCUSDT.P', ['BTCUSDT']],
    ['BTCUSDTSWAP', ['BTCUSDT']],
    ['BINANCE:BTCUSDT', ['BTCUSDT']],
    ['XBTUSD', ['BTCUSD', 'BTCUSDT']],
    ['ETHUSD', ['ETHUSDT']],
    ['BTCUSTD', ['BTCUSD', 'BTCUSDT']],
    ['NOPE', []],
  ])('%s', (symbol, near) => {
    expect(nearSymbols(symbol, listed)).toEqual(near)
  })

  it('name the exchange of a perpetual contract first', () => {
    expect(nearSymbols('BTCUSDT:USDT', listed, 'binance')).toEqual(['BTCUSDT on binanceusdm', 'BTCUSDT'])
    expect(nearSymbols('BTCUSDT:USDT', listed, 'binanceusdm')).toEqual(['BTCUSDT'])
    expect(nearSymbols('BTC', listed, 'binance')).toEqual(['BTCUSDT', 'BTCUSD'])
  })
})

describe('indicators near an unknown name', () => {
  it.each<[string, readonly string[]]>([
    ['stochastic', ['stoch']],
    ['parabolic_sar', ['sar', 'psar']],
    ['bull power', ['elderray']],
    ['rssi', ['rsi']],
    ['nothinglikeit', []],
  ])('%s', (name, near) => {
    expect([...nearIndicators(name)].sort()).toEqual([...near].sort())
  })

  it('are named by the end of an unknown path', () => {
    expect(nearPaths('/rsi')).toEqual(['/indicator/rsi'])
    expect(nearPaths('/indicators/RSI')).toEqual(['/indicator/rsi'])
    expect(nearPaths('/nope')).toEqual([])
  })
})

it('the end of an error lists what may be meant', () => {
  expect(didYouMean([])).toBe('')
  expect(didYouMean(['a'])).toBe('. Did you mean a?')
  expect(didYouMean(['a', 'b'])).toBe('. Did you mean a or b?')
  expect(didYouMean(['a', 'b', 'c'])).toBe('. Did you mean a, b or c?')
})

describe('a field in which other services expect the key', () => {
  it.each(['secret', 'key', 'token', 'apikey', 'api_key', 'API_KEY', 'access_token'])('is %s', name => {
    expect(isKeyField(name)).toBe(true)
  })

  it.each(['keys', 'monkey', 'secrets', 'x_token', 'apiikey', ''])('is not %j', name => {
    expect(isKeyField(name)).toBe(false)
  })

  it('is found in a query string, among its first 20 fields', () => {
    const others = (count: number) => Array(count).fill('a=1').join('&')
    expect(hasKeyField('symbol=BTC&key=abc')).toBe(true)
    expect(hasKeyField('secret')).toBe(true)
    expect(hasKeyField('symbol=key')).toBe(false)
    expect(hasKeyField(`${others(19)}&key=abc`)).toBe(true)
    expect(hasKeyField(`${others(20)}&key=abc`)).toBe(false)
  })
})

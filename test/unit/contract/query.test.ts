import { describe, expect, test } from 'vitest'
import { catalogue, talibConstantsOf, talibNamesOf } from '../../../src/catalogue/index.js'
import { type Query, readIndicatorSpec, readQuery, readWindow, specKey } from '../../../src/contract/query.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import { entryOf, run } from '../../support/kernel.js'

const read = (name: string, fields: Readonly<Record<string, unknown>>) =>
  readQuery(entryOf(name), new Map(Object.entries(fields)), 'json')

function accepted(name: string, fields: Readonly<Record<string, unknown>>): Query {
  const query = read(name, fields)
  if (isRefusal(query)) throw new Error(query.error)
  return query
}

const errorOf = (name: string, fields: Readonly<Record<string, unknown>>) => {
  const query = read(name, fields)
  return isRefusal(query) ? query.error : undefined
}

const columns = {
  timestamp: [0, 60, 120],
  open: [10, 11, 12],
  high: [13, 14, 17],
  low: [9, 10, 11],
  close: [11, 12, 16],
  volume: [5, 0, 7],
}

describe('sources', () => {
  test('both of two inputs are chosen by the caller', () => {
    expect(accepted('add', { source: 'close', source2: 'hl2' })).toMatchObject({
      source: 'close',
      source2: 'hl2',
    })
    expect(accepted('add', { source2: 'volume' }).source).toBeUndefined()
  })

  test('an entry with one replaceable input has no second source', () => {
    expect(errorOf('rsi', { source2: 'high' })).toMatch(
      /^Unknown parameter: source2\. rsi accepts: period, source,/,
    )
    expect(errorOf('atr', { source: 'high' })).toMatch(/^Unknown parameter: source\./)
  })

  test('a column that does not exist is refused under its own name', () => {
    expect(errorOf('add', { source2: 'bid' })).toMatch(/^Invalid source2: "bid"\. Expected one of open, high/)
  })

  test.each([
    [{}, [22, 24, 28]],
    [{ source: 'open' }, [19, 21, 23]],
    [{ source2: 'open' }, [23, 25, 29]],
    [{ source: 'low', source2: 'high' }, [22, 24, 28]],
    [{ source: 'volume', source2: 'volume' }, [10, 0, 14]],
    [{ source: 'hl2', source2: 'hl2' }, [22, 24, 28]],
    [{ source: 'hl2', source2: 'hlc3' }, [22, 24, 14 + 44 / 3]],
    [{ source: 'ohlc4', source2: 'hl2' }, [21.75, 23.75, 28]],
  ])('the kernel reads the columns of %j', (given, sums) => {
    expect([...(run('add', columns, given)[0] as Float64Array)]).toEqual(sums)
  })
})

test('the default of results depends on the indicator', () => {
  expect(accepted('rsi', {}).results).toBe(1)
  expect(accepted('candles', {}).results).toBe(14)
  expect(accepted('candles', { period: 3 }).results).toBe(3)
  expect(accepted('candles', { period: 3, results: 2 }).results).toBe(2)
})

describe('aliases', () => {
  test('a TA-Lib name stands for the parameter', () => {
    expect(accepted('rsi', { optInTimePeriod: 7 }).params).toEqual({ period: 7 })
    expect(accepted('bbands', { optInNbDevUp: 3, optInMAType: 1 }).params).toEqual({
      period: 20,
      stddev: 3,
      maType: 1,
    })
  })

  test('a default that follows another parameter follows its alias', () => {
    expect(accepted('kdj', { optInFastK_Period: 4 }).params).toMatchObject({ kPeriod: 4, dPeriod: 9 })
  })

  test('a parameter with its alias is a repetition', () => {
    expect(errorOf('rsi', { period: 7, optInTimePeriod: 7 })).toBe('Repeated parameter: period. Give it once')
    expect(errorOf('rsi', { optInTimePeriod: 7, period: 7 })).toBe('Repeated parameter: period. Give it once')
    expect(errorOf('bbands', { stddev: 2, optInNbDevDn: 2 })).toBe('Repeated parameter: stddev. Give it once')
  })

  test('two aliases of one parameter are understood where they agree, as TA-Lib has two deviations', () => {
    expect(accepted('bbands', { optInNbDevUp: 3, optInNbDevDn: 3 }).params).toMatchObject({ stddev: 3 })
    expect(errorOf('bbands', { optInNbDevUp: 2, optInNbDevDn: 3 })).toBe(
      'Repeated parameter: optInNbDevDn. Give it once, or with the value of optInNbDevUp',
    )
  })

  test('a wrong value is refused under the name that the caller gave it', () => {
    expect(errorOf('rsi', { optInTimePeriod: 1 })).toBe(
      'Invalid optInTimePeriod: 1. Expected integer, 2 to 500',
    )
  })

  test('a refusal does not list aliases', () => {
    expect(errorOf('rsi', { optInFastPeriod: 3 })).toBe(
      'Unknown parameter: optInFastPeriod. rsi accepts: period, source, results, backtrack, from, to, chart, settled',
    )
  })

  test('every name and alias stands for one parameter of an indicator', () => {
    for (const { name, params } of catalogue.values()) {
      const names = Object.keys(params).flatMap(param => [param, ...talibNamesOf(name, param)])
      names.push(...Object.keys(talibConstantsOf(name)))
      expect(new Set(names).size, name).toBe(names.length)
    }
  })
})

describe('the values of a query string', () => {
  const readText = (name: string, fields: Readonly<Record<string, string>>) =>
    readQuery(entryOf(name), new Map(Object.entries(fields)), 'text')
  const value = (name: string, param: string, text: string) => {
    const query = readText(name, { [param]: text })
    return isRefusal(query) ? query.error : query.params[param]
  }

  test.each([
    ['rsi', 'period', '7', 7],
    ['rsi', 'period', '7.0', 7],
    ['rsi', 'period', '1e2', 100],
    ['bandpass', 'bandwidth', '.5', 0.5],
    ['bandpass', 'bandwidth', '0.05', 0.05],
    ['bandpass', 'bandwidth', '5e-1', 0.5],
    ['triangleascending', 'heikinashi', 'true', true],
    ['triangleascending', 'heikinashi', 'false', false],
    ['rsidivergence', 'source', 'close', 'close'],
  ])('of %s: %s=%s is %j', (name, param, text, expected) => {
    expect(value(name, param, text)).toBe(expected)
  })

  test.each([
    ['rsi', 'period', '', 'integer, 2 to 500'],
    ['rsi', 'period', '7x', 'integer, 2 to 500'],
    ['rsi', 'period', '+7', 'integer, 2 to 500'],
    ['rsi', 'period', ' 7', 'integer, 2 to 500'],
    ['rsi', 'period', '0x7', 'integer, 2 to 500'],
    ['rsi', 'period', '7.5', 'integer, 2 to 500'],
    ['rsi', 'period', '1', 'integer, 2 to 500'],
    ['rsi', 'period', '501', 'integer, 2 to 500'],
    ['bandpass', 'bandwidth', '0.04', 'number, 0.05 to 0.7'],
    ['bandpass', 'bandwidth', '0.71', 'number, 0.05 to 0.7'],
    ['triangleascending', 'heikinashi', '1', 'true or false'],
    ['triangleascending', 'heikinashi', 'TRUE', 'true or false'],
    ['rsidivergence', 'source', 'open', 'one of wick, close'],
  ])('of %s: %s=%s is refused', (name, param, text, expected) => {
    expect(value(name, param, text)).toBe(`Invalid ${param}: ${text}. Expected ${expected}`)
  })

  test('are typed in JSON', () => {
    expect(read('rsi', { period: 1 })).toEqual({
      status: 400,
      error: 'Invalid period: 1. Expected integer, 2 to 500',
    })
    expect(errorOf('rsi', { period: '7' })).toBe('Invalid period: "7". Expected integer, 2 to 500')
    expect(errorOf('triangleascending', { heikinashi: 'true' })).toBe(
      'Invalid heikinashi: "true". Expected true or false',
    )
    expect(accepted('rsi', { period: 500 }).params).toEqual({ period: 500 })
    expect(accepted('rsi', { period: 2 }).params).toEqual({ period: 2 })
  })

  test('are quoted up to 60 characters, also the name of one that is unknown', () => {
    const sixty = 'x'.repeat(60)
    expect(value('rsi', 'period', sixty)).toMatch(`Invalid period: ${sixty}. `)
    expect(value('rsi', 'period', `${sixty}x`)).toMatch(`Invalid period: ${'x'.repeat(59)}…. `)
    expect(value('rsi', `${sixty}x`, '')).toMatch(`Unknown parameter: ${'x'.repeat(59)}…. `)
  })
})

describe('the window of values', () => {
  const window = (fields: Readonly<Record<string, unknown>>) => {
    const { results, backtrack } = accepted('rsi', fields)
    return { results, backtrack }
  }

  test('is the newest value, or what is asked for', () => {
    expect(window({})).toEqual({ results: 1, backtrack: 0 })
    expect(window({ results: 1, backtrack: 0 })).toEqual({ results: 1, backtrack: 0 })
    expect(window({ results: 5, backtrack: 2 })).toEqual({ results: 5, backtrack: 2 })
    expect(window({ results: 'max' })).toEqual({ results: Number.POSITIVE_INFINITY, backtrack: 0 })
    expect(readWindow(new Map(), 'json')).toEqual({ results: 1, backtrack: 0 })
  })

  test.each<[string, unknown, string]>([
    ['results', 0, 'integer, 1 or more, or max'],
    ['results', 1.5, 'integer, 1 or more, or max'],
    ['results', '5', 'integer, 1 or more, or max'],
    ['results', null, 'integer, 1 or more, or max'],
    ['backtrack', -1, 'integer, 0 or more'],
    ['backtrack', 0.5, 'integer, 0 or more'],
    ['backtrack', 'max', 'integer, 0 or more'],
  ])('is refused: %s = %j', (name, given, expected) => {
    expect(errorOf('rsi', { [name]: given })).toBe(
      `Invalid ${name}: ${JSON.stringify(given)}. Expected ${expected}`,
    )
  })
})

describe('parameters that bound each other', () => {
  test('may be equal', () => {
    expect(accepted('rsidivergence', { minSpan: 20, maxSpan: 20 }).params).toMatchObject({
      minSpan: 20,
      maxSpan: 20,
    })
  })

  test('are refused under the name that the request gives', () => {
    const { minSpan, maxSpan } = accepted('rsidivergence', {}).params as Readonly<Record<string, number>>
    const [min, max] = [minSpan as number, maxSpan as number]
    expect(errorOf('rsidivergence', { minSpan: max + 1 })).toBe(
      `Invalid minSpan: ${max + 1}. Expected at most maxSpan (${max})`,
    )
    expect(errorOf('rsidivergence', { maxSpan: min - 1 })).toBe(
      `Invalid maxSpan: ${min - 1}. Expected at least minSpan (${min})`,
    )
    expect(errorOf('rsidivergence', { minSpan: 30, maxSpan: 29 })).toBe(
      'Invalid minSpan: 30. Expected at most maxSpan (29)',
    )
  })
})

test('a parameter that follows another one has its value, unless it is given itself', () => {
  expect(accepted('kdj', { period: 21, signal: 4 }).params).toMatchObject({
    kPeriod: 21,
    dPeriod: 21,
    kSmooth: 4,
  })
  expect(accepted('kdj', { period: 21, kPeriod: 5 }).params).toMatchObject({ kPeriod: 5, dPeriod: 21 })
})

describe('other fields of a request', () => {
  const fields = new Map<string, unknown>([
    ['exchange', 'demo'],
    ['period', 7],
  ])

  test('are left to others where they are named, and listed by a refusal', () => {
    expect(readQuery(entryOf('rsi'), fields, 'json', ['exchange'])).toMatchObject({ params: { period: 7 } })
    expect(readQuery(entryOf('rsi'), new Map([['x', 1]]), 'json', ['exchange'])).toMatchObject({
      error:
        'Unknown parameter: x. rsi accepts: period, source, results, backtrack, from, to, chart, settled, exchange',
    })
  })

  test('a subscription has none, and no window', () => {
    expect(readIndicatorSpec(entryOf('rsi'), new Map([['period', 7]]), 'json')).toEqual({
      indicator: entryOf('rsi'),
      params: { period: 7 },
    })
    expect(readIndicatorSpec(entryOf('rsi'), new Map([['results', 7]]), 'json')).toMatchObject({
      error: 'Unknown parameter: results. rsi accepts: period, source',
    })
  })
})

test('a copy with other parameters has a key of its own', () => {
  const query = accepted('rsi', { period: 14 })
  const key = specKey(query)
  const copies = [
    { ...query, params: { period: 21 } },
    { ...query, source: 'high' as const },
    Object.assign({}, query, { indicator: entryOf('sma') }),
  ]
  expect(new Set([key, ...copies.map(specKey)]).size).toBe(4)
  expect(specKey(accepted('rsi', { results: 9 }))).toBe(key)
  expect(specKey(query)).toBe(key)
})

import { describe, expect, test } from 'vitest'
import { aliases, catalogue } from '../../src/catalogue/index.js'
import { type Query, readQuery } from '../../src/contract/query.js'
import { isRefusal } from '../../src/contract/refusals.js'
import { entryOf, run } from '../support/kernel.js'

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
      'Unknown parameter: optInFastPeriod. rsi accepts: period, source, results, backtrack',
    )
  })

  test('every name and alias stands for one parameter of an indicator', () => {
    for (const { name, params } of catalogue.values()) {
      const names = Object.keys(params).flatMap(param => [param, ...(aliases[param] ?? [])])
      expect(new Set(names).size, name).toBe(names.length)
    }
  })
})

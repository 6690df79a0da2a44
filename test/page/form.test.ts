import { expect, describe as group, it } from 'vitest'
import {
  expectationOf,
  faultsOf,
  labelOf,
  numberedChoices,
  readParameter,
} from '../../page/model/parameter-check.js'
import { describe } from '../../src/catalogue/description.js'
import { catalogue } from '../../src/catalogue/index.js'
import { readIndicatorSpec } from '../../src/contract/query.js'
import { isRefusal } from '../../src/contract/refusals.js'

const descriptions = [...catalogue.values()].map(describe)
const parameterOf = (indicator: string, name: string) => {
  const found = descriptions
    .find(({ id }) => id === indicator)
    ?.parameters.find(parameter => parameter.name === name)
  if (!found) throw new Error(`${indicator} has no ${name}`)
  return found
}
const faults = (indicator: string, params: Readonly<Record<string, string | number | boolean>>) => {
  const description = descriptions.find(({ id }) => id === indicator)
  if (!description) throw new Error(`there is no ${indicator}`)
  return Object.fromEntries(faultsOf(description, params))
}

group('a field of the form', () => {
  it('reads what is typed, with a comma or a point', () => {
    expect(readParameter(parameterOf('rsi', 'period'), ' 21 ')).toEqual({ value: 21 })
    expect(readParameter(parameterOf('bbands', 'stddev'), '2,5')).toEqual({ value: 2.5 })
  })

  it('says what is expected instead', () => {
    const period = parameterOf('rsi', 'period')
    const fault = { fault: 'period must be a whole number from 2 to 500.' }
    for (const text of ['', '1', '501', '2.5', 'x', 'Infinity', '1e9'])
      expect(readParameter(period, text), text).toEqual(fault)
    expect(expectationOf(parameterOf('bbands', 'stddev')), 'a bound of 3e37 is not shown').toBe('a number')
    expect(expectationOf(parameterOf('zigzag', 'source'))).toBe('one of wick, close')
  })

  it('is a list where numbers stand for names', () => {
    expect(numberedChoices(parameterOf('bbands', 'maType'))?.slice(0, 2)).toEqual([
      ['0', 'SMA'],
      ['1', 'EMA'],
    ])
    expect(numberedChoices(parameterOf('bbands', 'maType'))).toContainEqual(['alma', 'ALMA'])
    expect(readParameter(parameterOf('bbands', 'maType'), 'alma')).toEqual({ value: 'alma' })
    expect(readParameter(parameterOf('bbands', 'maType'), 'best')).toEqual({
      fault: expect.stringMatching(/^maType must be a whole number from 0 to 8, or one of sma, ema, /),
    })
    expect(numberedChoices(parameterOf('rsi', 'period'))).toBeUndefined()
  })

  it('has a label in words', () => {
    expect(labelOf('fastPeriod')).toBe('Fast period')
    expect(labelOf('minGapATR')).toBe('Min gap ATR')
    expect(labelOf('kPeriod')).toBe('K period')
    expect(labelOf('fastMAType')).toBe('Fast MA type')
    expect(labelOf('maType')).toBe('MA type')
    expect(labelOf('fastKPeriod')).toBe('Fast k period')
    expect(labelOf('atrPeriod')).toBe('ATR period')
  })
})

group('the faults of a form', () => {
  it('name parameters and sources that are wrong', () => {
    expect(faults('rsi', { period: 14, source: 'hl2' })).toEqual({})
    expect(faults('rsi', { source: 'price' })).toEqual({ source: expect.stringContaining('one of open') })
    expect(faults('rsi', { foo: 1 })).toEqual({ foo: 'rsi has no parameter foo.' })
  })

  it('name the one of two related parameters that was changed', () => {
    expect(faults('doublebottom', { symmetryMin: 9 })).toEqual({
      symmetryMin: 'symmetryMin must be at most symmetryMax (4).',
    })
    expect(faults('doublebottom', { symmetryMax: 0.1 })).toEqual({
      symmetryMax: 'symmetryMax must be at least symmetryMin (0.3).',
    })
  })

  it('agree with the service about every parameter of the catalogue', () => {
    for (const [name, entry] of catalogue) {
      const description = describe(entry)
      for (const parameter of description.parameters) {
        const { minimum = 0, maximum = 0 } = parameter
        const values = [parameter.default, minimum, maximum, minimum - 1, maximum + 1, 0.5, true, 'wick', 'x']
        for (const value of values) {
          const given = { [parameter.name]: value }
          const refused = isRefusal(readIndicatorSpec(entry, new Map(Object.entries(given)), 'json'))
          expect(faultsOf(description, given).size > 0, `${name} ${JSON.stringify(given)}`).toBe(refused)
        }
      }
    }
  })
})

import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { defaultsOf } from '../../../../src/catalogue/description.js'
import { catalogue } from '../../../../src/catalogue/index.js'
import { compileExpression } from '../../../../src/compute/expressions/compile.js'

/** The built script, in a context with nothing but what the language has. */
const script = readFileSync(new URL('../../../../build/plans.js', import.meta.url), 'utf8')
const candela = runInNewContext(`${script};candela`) as Record<string, (...args: string[]) => string>
const call = (name: string, ...args: unknown[]) =>
  JSON.parse((candela[name] as never as (...all: unknown[]) => string)(...args))

describe('the plans for other hosts', () => {
  it('have the numbers of a call for parameters that are checked as in a request', () => {
    expect(call('indicator', 'macd', '{"slowPeriod":30,"source":"hl2"}')).toEqual({
      name: 'macd',
      kernel: 'macd',
      inputs: ['hl2'],
      params: [12, 30, 9],
      lookback: 37,
      warmup: 37,
      state: 10,
      scratch: 0,
      columns: 3,
      outputs: ['valueMACD', 'valueMACDSignal', 'valueMACDHist'].map((name, column) => ({
        name,
        kind: 'number',
        column,
        lookback: 37,
      })),
    })
    expect(call('indicator', '2crows').kernel).toBe('_2crows')
    expect(call('indicator', 'ma', '{"maType":"hma"}').params).toEqual([30, expect.any(Number)])
  })

  it('are refused in the words of the service', () => {
    expect(call('indicator', 'rsi', '{"perod":9}').error).toBe(
      'Unknown parameter: perod. rsi accepts: period, source. Did you mean period?',
    )
    expect(call('indicator', 'bollinger').error).toBe('Unknown indicator: bollinger. Did you mean bbands?')
    for (const text of ['rsi(14', 'rsi(0)', 'sma200 > 3', 'bbands(20)', 'foo', '', 'close@4h'])
      expect(call('expression', text), text).toEqual(JSON.parse(JSON.stringify(compileExpression(text))))
    expect(call('expression', 'close', '7h').error).toMatch(/^Invalid timeframe: 7h\. Expected one of 1m/)
  })

  it('have the nodes of an expression, with the calls of its indicators', () => {
    const plan = call('expression', 'pow(close, 2) > ema(20)@4h[3]', '1h')
    expect(plan.timelines).toEqual([
      { timeframe: '1h', length: 3600, isMade: false },
      { timeframe: '4h', length: 14_400, isMade: true },
    ])
    expect(plan.nodes.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...[
        'column',
        'constant',
        'pointwise',
        'column',
        'calculation',
        'output',
        'closed',
        'history',
        'pointwise',
      ],
    ])
    expect(plan.nodes[4]).toMatchObject({
      kernel: 'ema',
      params: [20],
      inputs: [3],
      lookback: 19,
      state: 8,
      timeline: 1,
    })
    expect(plan.outputs).toEqual([{ name: 'value', type: 'boolean', node: 8 }])
    expect(call('expression', '-0 * 1e999').nodes.map(({ value }: { value: unknown }) => value)).toEqual([
      ...['-0', 'Infinity', undefined],
    ])
  })

  it('know timeframes by their lengths, and the facts of all indicators', () => {
    expect([60, 3600, 2_505_600, 61].map(seconds => call('timeframe', seconds))).toEqual([
      '1m',
      '1h',
      '1M',
      null,
    ])
    const definitions = call('definitions')
    expect(Object.keys(definitions)).toEqual([...catalogue.keys()])
    for (const [name, entry] of catalogue) {
      const { title, inputs, params, outputs, scratch } = entry
      const expected = { title, inputs, parameters: params, scratch, state: entry.state(defaultsOf(entry)) }
      expect(definitions[name], name).toMatchObject(JSON.parse(JSON.stringify(expected)))
      expect(definitions[name].outputs.map((output: { name: string }) => output.name)).toEqual(
        outputs.map(output => output.name),
      )
    }
    const file = JSON.parse(
      readFileSync(new URL('../../../../build/definitions.json', import.meta.url), 'utf8'),
    )
    expect(file.rsi).toMatchObject({ ...definitions.rsi, source: expect.stringContaining('Wilder') })
  })
})

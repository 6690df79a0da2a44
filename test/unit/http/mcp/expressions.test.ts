import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/random.js'
import { compileExpression } from '../../../../src/compute/expressions/compile.js'
import { functions } from '../../../../src/compute/expressions/reader.js'
import { isRefusal } from '../../../../src/contract/refusals.js'
import { repairExpression, translated } from '../../../../src/http/mcp/expression-repair.js'
import { grammar } from '../../../../src/http/mcp/server.js'

describe('the nearest valid form of an expression', () => {
  it.each([
    ['clsoe > 1', 'close > 1'],
    ['rsii(14) < 30 andd close > 1', 'rsi(14) < 30 and close > 1'],
    ['macd.hist > 0', 'macd.valueMACDHist > 0'],
    ['macd.signal', 'macd.valueMACDSignal'],
    ['close > bbands(20).upper', 'close > bbands(20).valueUpperBand'],
    ['bbands(20) > close', 'bbands(20).valueUpperBand > close'],
    ['close > sma200 and RSI_14 < 30', 'close > sma(200) and RSI(14) < 30'],
    ['rsi(length=14) = 30', 'rsi(period=14) == 30'],
    ['ta.rsi(close, 14) < 30', 'rsi(close, 14) < 30'],
    ['vol > sma(volume, 20)', 'volume > sma(volume, 20)'],
    ['close crosses above ema(200)', 'crossover(close, ema(200))'],
    ['ema(9) crossed below ema(21)', 'crossunder(ema(9), ema(21))'],
    ['30 < rsi(14) < 70', '30 < rsi(14) and rsi(14) < 70'],
    ['rsi(1) < 30', 'rsi(2) < 30'],
    ['close > close[-1]', 'close > close[1]'],
    ['rsi(14)@4H > 50', 'rsi(14)@4h > 50'],
    ['(close > open', '(close > open)'],
    ['rsi(14) < 30 and', 'rsi(14) < 30'],
    ['kri(14) > 0', 'disparityindex(14) > 0'],
    ['close crosses above ema(200) and rsi(14) < 30', 'crossover(close, ema(200)) and rsi(14) < 30'],
    ['not (close crosses under sma(9))', 'not (crossunder(close, sma(9)))'],
    ['70 >= rsi(14) > 30 or close < open', '70 >= rsi(14) and rsi(14) > 30 or close < open'],
    ['1<(close-open)<2', '1<(close-open) and (close-open)<2'],
    ['rsi(14) <> 30', 'rsi(14) != 30'],
    ['close{ETHUSDT} => open', 'close{ETHUSDT} >= open'],
    ['  ta.rsi(close, length = 14)  =  30', 'rsi(close, period = 14)  ==  30'],
  ])('of %j is %j', (text, near) => {
    expect(isRefusal(compileExpression(text, { timeframe: '1h' }))).toBe(true)
    expect(repairExpression(text, '1h')).toBe(near)
    expect(isRefusal(compileExpression(near, { timeframe: '1h' }))).toBe(false)
  })

  it('is not guessed where nothing is near, nor given for what is valid', () => {
    for (const text of ['foo > 1', 'what is the price?', '', ')(', 'qqe.trend', 'rsi(14) < 30'])
      expect(repairExpression(text, '1h'), text).toBeUndefined()
  })

  it('is looked for in little time, whatever the text is', () => {
    const parts = ['1 < ', 'a crosses above ', 'rsi(', 'close[-1]', 'x=', '(', 'macd.hist ', '1 <(', '_', '0']
    for (const part of parts)
      expect(repairExpression(part.repeat(Math.floor(1000 / part.length)), '1h'), part).toBeUndefined()
    expect(repairExpression(`${'a'.repeat(490)}<${' '.repeat(490)}(`, '1h')).toBeUndefined()
  })

  it('is made of a text that is at most twice as long and a word for each sign', () => {
    const random = createRandom(47)
    const parts = ['1', 'a', ' ', '<', '>=', '(', ')', '[', ',', ' and ', ' crosses above ', '=', '-', '{X}']
    // A comparison of comparisons would double with each pair of brackets.
    const pieces = (text: string) => text.match(/\w+|\S/g)?.length ?? 0
    const nested = (inner: string) => `${'1<('.repeat(100)}x${`${inner})<2`.repeat(100)}`
    const texts = Array.from({ length: 3000 }, () =>
      Array.from({ length: 60 }, () => parts[Math.floor(random() * parts.length)]).join(''),
    )
    for (const text of [...texts, nested(''), nested(' and c'), nested(', c'), nested(' crosses above c')])
      expect(translated(text).length, text).toBeLessThanOrEqual(2 * text.length + 12 * pieces(text))
  })
})

describe('the grammar for models', () => {
  it('names every function of the language', () => {
    for (const name of Object.keys(functions)) expect(grammar).toContain(`${name}(`)
  })

  it('has examples that are valid', () => {
    const [, often = ''] = grammar.split('## Often needed\n')
    const examples = often
      .trim()
      .split('\n')
      .map(line => line.slice(line.indexOf(': ') + 2))
    expect(examples.length).toBeGreaterThan(7)
    for (const text of examples)
      expect(compileExpression(text, { timeframe: '1h' }), text).not.toHaveProperty('error')
  })
})

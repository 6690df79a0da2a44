import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/random.js'
import { compileExpression } from '../../../../src/compute/expressions/compile.js'
import { translated } from '../../../../src/compute/expressions/repair.js'
import { isRefusal } from '../../../../src/contract/refusals.js'

const compile = (text: string) => compileExpression(text, { timeframe: '1h' })

/** The valid expression that the refusal of a text names. */
function nearestForm(text: string): string | undefined {
  const compiled = compile(text)
  return isRefusal(compiled) ? /Nearest valid form: (.*)$/s.exec(compiled.error)?.[1] : undefined
}

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
    ['ta.rsi(close, 14) < 30k', 'ta.rsi(close, 14) < 30000'],
    [
      'macd.hist > 0 and ta.bb(close, 20, 2) < 1',
      'macd.valueMACDHist > 0 and ta.bb(close, 20, 2).valueUpperBand < 1',
    ],
    ['volume > 1,000,000', 'volume > 1000000'],
    ['volume > 2.5M', 'volume > 2500000'],
    ['"close" > sma(20)', 'close > sma(20)'],
    ['close ≥ open & close@240 × 2 > 5', 'close >= open and close@4h * 2 > 5'],
    ['rsi(14)@60m above 50', 'rsi(14)@1h > 50'],
    ['vol > sma(volume, 20)', 'volume > sma(volume, 20)'],
    ['close crosses above ema(200)', 'crossover(close, ema(200))'],
    ['ema(9) crossed below ema(21)', 'crossunder(ema(9), ema(21))'],
    ['30 < rsi(14) < 70', '30 < rsi(14) and rsi(14) < 70'],
    ['rsi(1) < 30', 'rsi(2) < 30'],
    ['close > close[-1]', 'close > close[1]'],
    ['rsi(14)@4H > 50', 'rsi(14)@4h > 50'],
    ['(close > open', '(close > open)'],
    ['atrp(14) > 1', 'natr(14) > 1'],
    ['close crosses above ema(200) and rsi(14) < 30', 'crossover(close, ema(200)) and rsi(14) < 30'],
    ['not (close crosses under sma(9))', 'not (crossunder(close, sma(9)))'],
    ['70 >= rsi(14) > 30 or close < open', '70 >= rsi(14) and rsi(14) > 30 or close < open'],
    ['1<(close-open)<2', '1<(close-open) and (close-open)<2'],
    ['rsi(14) <> 30', 'rsi(14) != 30'],
    ['close{ETHUSDT} => open', 'close{ETHUSDT} >= open'],
    ['  ta.rsi(close, length = 14)  =  30', 'ta.rsi(close, period = 14)  ==  30'],
  ])('of %j is %j', (text, near) => {
    expect(nearestForm(text)).toBe(near)
    expect(isRefusal(compile(near))).toBe(false)
  })

  it('is not guessed where nothing is near, nor given for what is valid', () => {
    for (const text of [
      'foo > 1',
      'what is the price?',
      '',
      'rsi(14) < 30 and',
      'close >',
      ')(',
      'qqe.trend',
      'rsi(14) < 30',
    ])
      expect(nearestForm(text), text).toBeUndefined()
  })

  it('is looked for in little time, whatever the text is', () => {
    const parts = ['1 < ', 'a crosses above ', 'rsi(', 'close[-1]', 'x=', '(', 'macd.hist ', '1 <(', '_', '0']
    for (const part of parts)
      expect(nearestForm(part.repeat(Math.floor(1000 / part.length))), part).toBeUndefined()
    expect(nearestForm(`${'a'.repeat(490)}<${' '.repeat(490)}(`)).toBeUndefined()
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

/** Lines as people of other programs write them, each with the refusal, or the type of the value. */
const foreign = JSON.parse(
  readFileSync(new URL('../../../golden/foreign-expressions.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>

describe('a line of another program', () => {
  it.each(Object.entries(foreign))('%s is read, or refused with what to write', (text, wanted) => {
    const compiled = compile(text)
    expect(isRefusal(compiled) ? compiled.error : compiled.type).toBe(wanted)
  })

  it('is refused with a call that is valid, if a call is named', () => {
    const calls = Object.values(foreign).flatMap(
      text => /Write (\w+\(.*?)(?:, which.*|, or.*|\. Nearest.*)?$/.exec(text)?.[1] ?? [],
    )
    const values: Readonly<Record<string, string>> = {
      x: 'close',
      y: '2',
      n: '9',
      a: 'open',
      b: 'close',
      condition: 'true',
    }
    expect(calls.length).toBeGreaterThan(15)
    for (const call of calls) {
      const text = call.replace(/\b(x|y|n|a|b|condition)\b/g, name => values[name] as string)
      expect(compile(text), text).not.toHaveProperty('error')
    }
  })

  it.each([
    ['ta.rsi(ta.sma(close, 5), 14)', 'rsi(sma(close, 5), 14)'],
    ['ta.rma(close, 14)', 'smma(close, 14)'],
    ['math.log(close)', 'ln(close)'],
    ['HHV(H, 20)', 'highest(high, 20)'],
    ['close > open ? high : close == open ? 0 : low', 'if(close > open, high, if(close == open, 0, low))'],
    ['(close > open ? 1 : 0) + 1', 'if(close > open, 1, 0) + 1'],
    ['ta.highest(20)', 'highest(high, 20)'],
    ['lowest(20)', 'lowest(low, 20)'],
  ])('%s has the plan of %s', (text, own) => {
    const [one, other] = [compile(text), compile(own)]
    if (isRefusal(one) || isRefusal(other)) throw new Error(`${text} or ${own} is refused`)
    expect(one.spec.indicator.plan).toEqual(other.spec.indicator.plan)
  })
})

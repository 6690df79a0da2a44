import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../bench/random.js'
import { compileExpression } from '../../../src/compute/expressions/compile.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { ofRequest, type PineTranslation, translatePine } from '../../../src/compute/pine/translate.js'
import { isRefusal } from '../../../src/contract/refusals.js'
import { finish } from '../../../src/runtime/scheduler.js'
import { newestValues } from '../../support/expressions/values.js'
import { snapshotOf } from '../../support/kernel.js'
import { readMarket } from '../../vectors/vector-file.js'

const translate = (...given: Parameters<typeof translatePine>): PineTranslation =>
  finish(translatePine(...given))

const golden = new URL('../../golden/pine/', import.meta.url)
const parts = readFileSync(new URL('scripts.pine', golden), 'utf8').split(/^\/\/ === (.*)\n/m)
/** The scripts by name. */
const scripts = new Map(
  parts.flatMap((name, k) => (k % 2 === 1 ? [[name, parts[k + 1] as string] as const] : [])),
)
const readGolden = (name: string) => JSON.parse(readFileSync(new URL(name, golden), 'utf8'))

/** A translation as the golden file has it: a text per line. */
const written = ({ inputs, expressions, differences, refused }: PineTranslation) => ({
  ...(inputs.length > 0 && {
    inputs: inputs.map(
      ({ line, name, value, title }) => `${line} ${name} = ${value}${title === '' ? '' : ` (${title})`}`,
    ),
  }),
  expressions: expressions.map(
    ({ line, from, title, expression, type }) =>
      `${line} ${from} ${title}: ${expression}${type === 'boolean' ? ' ?' : ''}`,
  ),
  ...(differences.length > 0 && { differences: differences.map(({ line, text }) => `${line} ${text}`) }),
  ...(refused.length > 0 && { refused: refused.map(({ line, text }) => `${line} ${text}`) }),
})

/** Plots whose values differ from PineTS 0.9.34, with the reason. Those with `from` are equal from that candle on. */
const differing: Readonly<Record<string, { readonly because: string; readonly from?: number }>> = {
  ...Object.fromEntries(
    ['plus', 'minus', 'adx', 'slow', 'trend', 'direction'].map(title => [
      `several values at once / ${title}`,
      { because: 'its averages begin with other candles, as the translation says', from: 320 },
    ]),
  ),
  'volume and ranges / wvad': { because: '0 / 0 is 0 in PineTS, as the translation says' },
  'windows / highestbars': { because: 'of equal highs PineTS counts the newest; TradingView does not' },
  'windows / high there': { because: 'PineTS shows no value' },
  'since and when / pivot high': {
    because: 'PineTS has no pivot among equal highs; TradingView has the newest',
  },
  'since and when / pivot low': {
    because: 'PineTS has no pivot among equal lows; TradingView has the newest',
  },
  'since and when / last pivot': {
    because: 'PineTS has no pivot among equal highs; TradingView has the newest',
  },
  'anchored averages / mean': { because: 'PineTS restarts at each candle' },
  'anchored averages / upper': { because: 'PineTS shows no value' },
  'anchored averages / lower': { because: 'PineTS shows no value' },
  'anchored averages / session': { because: 'PineTS has no sessions over supplied candles' },
  'first candles / cum2': { because: 'Pine adds within the warm-up, as the translation says' },
  'first candles / k': { because: 'Pine keeps a value of the warm-up, as the translation says', from: 40 },
  'what is unknown / moved': { because: 'PineTS cannot read the script' },
  'types of version 5 / whole': { because: 'PineTS divides as version 6' },
}

describe('a script of Pine', () => {
  const wanted = readGolden('translations.json') as Readonly<Record<string, unknown>>

  it.each([...scripts])('%s has these expressions, differences and refusals', (name, script) => {
    expect(written(translate(script, '1h'))).toEqual(wanted[name])
  })

  it('is one of at least thirty', () => {
    expect(scripts.size).toBeGreaterThanOrEqual(30)
    expect(Object.keys(wanted)).toEqual([...scripts.keys()])
  })

  it('names lines that it has, and expressions that compile', () => {
    for (const script of scripts.values()) {
      const { expressions, differences, refused } = translate(script, '1h')
      const count = script.trimEnd().split('\n').length
      for (const { line } of [...expressions, ...differences, ...refused]) {
        expect(line).toBeGreaterThanOrEqual(1)
        expect(line).toBeLessThanOrEqual(count)
      }
      for (const { expression } of expressions)
        expect(isRefusal(compileExpression(expression, { timeframe: '1h' })), expression).toBe(false)
    }
  })

  it('is read to its end or refused, wherever it is cut', () => {
    const random = createRandom(20_261_129)
    for (const script of scripts.values())
      for (let k = 0; k < 12; k++) {
        const cut = script.slice(0, Math.floor(random() * script.length))
        const { expressions, refused } = translate(cut, '1h')
        expect(Array.isArray(expressions) && Array.isArray(refused), cut).toBe(true)
      }
  })

  it('that grows without bound is refused at once', () => {
    const doubled = Array.from({ length: 60 }, (_, i) => `x${i + 1} = x${i} + x${i}`)
    const large = ['//@version=6', 'x0 = close + open', ...doubled, 'plot(x60)'].join('\n')
    expect(translate(large)).toMatchObject({ expressions: [], refused: expect.anything() })
    const calls = Array.from({ length: 18 }, (_, i) => `f${i + 1}(x) => f${i}(x) + f${i}(x)`)
    const nested = ['//@version=6', 'f0(x) => x', ...calls, 'plot(f18(close))'].join('\n')
    expect(translate(nested).refused.at(-1)?.text).toMatch(/too many parts|more than/)
    for (const each of ['(', '[', 'not ', '-', 'a ? ', 'if x\n    '])
      expect(translate(`//@version=6\nplot(${each.repeat(5_000)}`).expressions).toEqual([])
  })

  it('is read again for variables that depend on each other within the same limit, with a pause after each statement', () => {
    const names = Array.from({ length: 300 }, (_, i) => `a${i}`)
    const statements = [
      ...names.map(name => `var float ${name} = na`),
      ...names.map((name, i) => `${name} := ${names[i + 1] ?? '(close > 1 ? close : na)'}[1]`),
    ]
    const script = ['//@version=6', ...statements, 'plot(a0)'].join('\n')
    let steps = 0
    const { refused } = finish(translatePine(script, '1m', ofRequest), () => steps++)
    expect(refused).toEqual([{ line: expect.any(Number), text: 'the script has too many parts' }])
    expect(steps).toBeGreaterThan(statements.length)
    expect(steps).toBeLessThan(ofRequest.parts)
  })
})

describe('the values of a translated script', () => {
  const { every, values } = readGolden('../../vectors/oracles/pine.json') as {
    readonly every: number
    readonly values: Readonly<
      Record<string, Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>>
    >
  }
  const calculator = new Calculator()

  it.each([...scripts])('%s are those of PineTS', (name, script) => {
    for (const { from, title, expression, type } of translate(script, '1h').expressions) {
      const exception = differing[`${name} / ${title}`]
      const expected = values[name]?.[title]
      if (!from.startsWith('plot') || !expected || (exception && exception.from === undefined)) continue
      const compiled = compileExpression(expression, { timeframe: '1h' })
      if (isRefusal(compiled)) throw new Error(compiled.error)
      for (const [market, numbers] of Object.entries(expected)) {
        const columns = readMarket(market)
        const count = (columns.close as readonly number[]).length
        const [found] = newestValues(calculator, compiled, [snapshotOf(columns)], count)
        const kept = Array.from(found as Float64Array).flatMap((value, i) =>
          i % every === every - 1 || i === count - 1 ? [{ value, i }] : [],
        )
        expect(kept).toHaveLength(numbers.length)
        for (const [k, { value, i }] of kept.entries()) {
          // Before its warm-up an expression has no value, and a condition without a value does not hold.
          if (i < Math.max(compiled.depth - 1, exception?.from ?? 0)) continue
          const wanted = numbers[k] ?? Number.NaN
          const where = `${name} / ${title} / ${market} at ${i}: ${expression}`
          if (Number.isNaN(value))
            expect(Number.isNaN(wanted) || (type === 'boolean' && wanted === 0), where).toBe(true)
          else
            expect(Math.abs(value - wanted), where).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(wanted)))
        }
      }
    }
  })

  it('are compared for a hundred plots, except where a reason is named', () => {
    const compared = [...scripts].flatMap(([name, script]) =>
      translate(script, '1h').expressions.filter(
        ({ title }) => values[name]?.[title] && !differing[`${name} / ${title}`],
      ),
    )
    expect(compared.length).toBeGreaterThan(100)
    const titles = new Set(
      [...scripts].flatMap(([name, script]) =>
        translate(script, '1h').expressions.map(({ title }) => `${name} / ${title}`),
      ),
    )
    expect(Object.keys(differing).filter(title => !titles.has(title))).toEqual([])
  })
})

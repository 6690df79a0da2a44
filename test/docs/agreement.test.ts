import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogue } from '../../src/catalogue/index.js'
import { readVector } from '../vectors/vector-file.js'

interface Compared {
  readonly line: string
  readonly verdicts: Readonly<Record<string, string>>
}
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const indicators: Readonly<Record<string, Compared>> = JSON.parse(read('docs/agreement.json')).indicators
const page = read('dist/help/agreement.html')

test('every indicator has a line for its page, and README.md has the number of those that agree', () => {
  expect(Object.keys(indicators)).toEqual([...catalogue.keys()])
  const agreeing = Object.values(indicators).filter(({ line }) =>
    /^equal to (?!a second implementation)/.test(line),
  ).length
  const sentence = `${agreeing} of ${catalogue.size} indicators agree candle by candle`
  expect(page).toContain(sentence)
  expect(read('README.md').replaceAll(/<!--.*?-->/g, '')).toContain(sentence)
})

test('every difference has been examined', () => {
  expect(page).not.toContain('not examined')
})

test('only a program of somebody else makes an indicator equal', () => {
  const wrong = Object.keys(indicators).filter(name => {
    const { line = '', verdicts = {} } = indicators[name] ?? {}
    const others = Object.values(verdicts).filter(
      verdict => !verdict.includes('second implementation, ') && / equal/.test(verdict),
    )
    return /^equal to (?!a second implementation)/.test(line) && others.length === 0
  })
  expect(wrong).toEqual([])
})

test('every indicator is compared, or listed with its source', () => {
  const [, rest = ''] = page.split('Indicators that rest on their definition</h2>')
  const listed = new Set([...rest.matchAll(/<td><code>(\w+)<\/code><\/td>/g)].map(([, name]) => name))
  expect(listed.size).toBeGreaterThan(100)
  const missing = [...catalogue.keys()].filter(
    name => Object.keys(indicators[name]?.verdicts ?? {}).length === 0 && !listed.has(name),
  )
  expect(missing).toEqual([])
})

test('at least 320 vectors have cases that a program of somebody else computed', () => {
  const isOfOthers = (source?: string) => source !== undefined && !source.startsWith('second implementation')
  const computed = [...catalogue.keys()].filter(name =>
    readVector(name)?.cases.some(({ source }) => isOfOthers(source)),
  )
  expect(computed.length).toBeGreaterThanOrEqual(320)
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogue } from '../../src/catalogue/index.js'
import { readVector } from '../vectors/vector-file.js'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const sentence =
  /(\d+) of (\d+) indicators agree candle by candle with at least one program that somebody else wrote/
const page = read('docs/agreement.md')

test('README.md says how many indicators agree as docs/agreement.md does', () => {
  const [said, , all] = sentence.exec(page) ?? []
  expect(Number(all)).toBe(catalogue.size)
  expect(read('README.md')).toContain(said)
})

test('every difference has been examined', () => {
  expect(page.match(/^.*not examined.*$/gm) ?? []).toEqual([])
})

test('every indicator has a line for its page, and only what somebody else wrote makes it equal', () => {
  const lines: Record<string, string> = JSON.parse(read('docs/agreement.json'))
  expect(Object.keys(lines)).toEqual([...catalogue.keys()])
  const second = 'second implementation, '
  const wrong = Object.keys(lines).filter(name => {
    const verdicts = [...page.matchAll(new RegExp(`^\\| ${name} \\| [^|]+ \\| (.*) \\|$`, 'gm'))].map(
      ([, verdict = '']) => verdict,
    )
    const others = verdicts.filter(verdict => !verdict.includes(second) && / equal/.test(verdict))
    return /^equal to (?!a second implementation)/.test(lines[name] ?? '') && others.length === 0
  })
  expect(wrong).toEqual([])
})

test('every indicator is compared, or listed with what it rests on', () => {
  const compared = new Set([...page.matchAll(/^\| (\w+) \|/gm)].map(([, name]) => name))
  const listed = new Set(
    [
      ...(page.split('## Indicators that rest on their definition')[1] ?? '').matchAll(/^\| `(\w+)` \|/gm),
    ].map(([, name]) => name),
  )
  expect([...catalogue.keys()].filter(name => !compared.has(name) && !listed.has(name))).toEqual([])
})

test('at least 320 vectors have cases that a program of somebody else computed', () => {
  const isOfOthers = (source?: string) => source !== undefined && !source.startsWith('second implementation')
  const computed = [...catalogue.keys()].filter(name =>
    readVector(name)?.cases.some(({ source }) => isOfOthers(source)),
  )
  expect(computed.length).toBeGreaterThanOrEqual(320)
})

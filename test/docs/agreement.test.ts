import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogue } from '../../src/catalogue/index.js'
import { readVector } from '../vectors/vector-file.js'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const sentence = /(\d+) of (\d+) indicators are compared candle by candle with (\d+) libraries/
const page = read('docs/agreement.md')

test('README.md says how many indicators are compared as docs/agreement.md does', () => {
  const [said, , all] = sentence.exec(page) ?? []
  expect(Number(all)).toBe(catalogue.size)
  expect(read('README.md')).toContain(said)
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

test('at least 380 vectors have cases that another library computed', () => {
  const computed = [...catalogue.keys()].filter(name => readVector(name)?.cases.some(each => each.source))
  expect(computed.length).toBeGreaterThanOrEqual(380)
})

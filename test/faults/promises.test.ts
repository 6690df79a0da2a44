import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import promises from './promises.json' with { type: 'json' }

const root = new URL('../../', import.meta.url)

it('docs/reliability.md names the test of every promise', () => {
  const text = readFileSync(new URL('docs/reliability.md', root), 'utf8')
  expect(promises.map(({ file }) => file).filter(file => !text.includes(`\`${file}\``))).toEqual([])
})

it.each(promises)('"$promise" has its tests', ({ file, tests }) => {
  const source = readFileSync(new URL(file, root), 'utf8')
  expect(tests.filter(text => !source.includes(text))).toEqual([])
  expect(tests.length).toBeGreaterThan(0)
})

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import promises from './promises.json' with { type: 'json' }

const root = new URL('../../', import.meta.url)

it.each(promises)('"$promise" has its tests', ({ file, tests }) => {
  const source = readFileSync(new URL(file, root), 'utf8')
  expect(tests.filter(text => !source.includes(text))).toEqual([])
  expect(tests.length).toBeGreaterThan(0)
})

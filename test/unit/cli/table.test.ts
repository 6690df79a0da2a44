import { expect, test } from 'vitest'
import { formatTable } from '../../../src/cli/output.js'

test('a table has columns as wide as their longest cells', () => {
  expect(formatTable(['A', 'LONG'], [['wide', 'b'], ['c']])).toBe('A     LONG\nwide  b\nc')
})

test('a table may have more rows than a function may have arguments', () => {
  const rows = Array.from({ length: 300_000 }, (_, k) => [String(k), 'name'])
  expect(formatTable(['ID', 'NAME'], rows).split('\n')).toHaveLength(300_001)
})

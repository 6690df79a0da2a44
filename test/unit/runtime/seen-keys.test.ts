import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SeenKeys } from '../../../src/runtime/caches.js'

it('knows a key from the second time on, also where it is empty', () => {
  const keys = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 2 })
  fc.assert(
    fc.property(keys, texts => {
      const seen = new SeenKeys(4096)
      expect(texts.map(text => seen.see(text))).toEqual(texts.map(() => false))
      expect(seen.see(texts.at(-1) as string)).toBe(true)
    }),
  )
})

it('finds keys again that take turns, however few of them it can remember', () => {
  const seen = new SeenKeys(2)
  let missing = ['a', 'b', 'c', 'd']
  for (let round = 0; round < 200 && missing.length > 0; round++)
    missing = missing.filter(key => !seen.see(key))
  expect(missing).toEqual([])
})

it('forgets keys that many others came after', () => {
  const seen = new SeenKeys(64)
  const keys = Array.from({ length: 10_000 }, (_, i) => `rsi?period=${i}`)
  for (const key of keys) seen.see(key)
  expect(keys.filter(key => seen.see(key)).length).toBeLessThan(100)
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RepeatCache } from '../../../src/runtime/repeat-cache.js'
import { SeenKeys } from '../../../src/runtime/seen-keys.js'

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

it('a value is kept from its second time on, as long as it fits', () => {
  const cache = new RepeatCache<{ text: string }>({ maxBytes: 30, bytesOf: ({ text }) => text.length })
  const ask = (key: string, text: string): boolean => {
    if (cache.get(key)) return true
    cache.add(key, { text })
    return false
  }
  expect([1, 2, 3].map(() => ask('rsi', 'ten bytes.'))).toEqual([false, false, true])
  expect([1, 2, 3].map(() => ask('screen', 'a'.repeat(31)))).toEqual([false, false, false])
  for (const key of ['sma', 'ema', 'wma']) for (let i = 0; i < 2; i++) ask(key, 'ten bytes.')
  expect(
    ['rsi', 'sma', 'ema', 'wma'].filter(key => cache.get(key)),
    'rsi was used',
  ).toEqual(['rsi', 'ema', 'wma'])
})

it('has a value for a key of each group', () => {
  const cache = new RepeatCache<{ text: string }>({ maxBytes: 20, bytesOf: ({ text }) => text.length })
  const ask = (group: string, text: string) => cache.get('period=2', group)?.text ?? add(group, text)
  const add = (group: string, text: string) => cache.add('period=2', { text }, group)
  for (let i = 0; i < 2; i++) for (const group of ['rsi', 'sma']) ask(group, `of ${group}`)
  expect(['rsi', 'sma', ''].map(group => cache.get('period=2', group)?.text)).toEqual([
    'of rsi',
    'of sma',
    undefined,
  ])
})

import { expect, it } from 'vitest'
import { TextCache } from '../../../src/runtime/caches.js'

/** A cache of texts. `ask` adds a missing text, and returns whether the text was known. */
function cacheOf(maxBytes: number) {
  const cache = new TextCache<{ text: string }>({ maxBytes, bytesOf: ({ text }) => text.length })
  const ask = (key: string, text: string): boolean => {
    if (cache.get(key)) return true
    cache.add(key, { text })
    return false
  }
  return { cache, ask }
}

it('keeps a value from the second time on as long as it fits, and drops the least recently used first', () => {
  const { cache, ask } = cacheOf(30)
  expect([1, 2, 3, 4].map(() => ask('rsi', 'ten bytes.'))).toEqual([false, false, true, true])
  expect([1, 2, 3].map(() => ask('screen', 'a'.repeat(31)))).toEqual([false, false, false])
  for (const key of ['sma', 'ema', 'wma', 'sma', 'ema']) ask(key, 'ten bytes.')
  expect(ask('rsi', 'ten bytes.'), 'rsi was used').toBe(true)
  ask('wma', 'ten bytes.')
  const left = ['rsi', 'sma', 'ema', 'wma'].filter(key => cache.get(key))
  expect(left).toEqual(['rsi', 'ema', 'wma'])
})

it('replaces a value that is added again, and counts it once', () => {
  const { cache, ask } = cacheOf(30)
  for (let i = 0; i < 10; i++) cache.add('rsi', { text: `ten bytes${i}` })
  for (const key of ['sma', 'ema', 'sma', 'ema']) ask(key, 'ten bytes.')
  expect(cache.get('rsi')).toEqual({ text: 'ten bytes9' })
  expect([cache.get('sma'), cache.get('ema')]).not.toContain(undefined)
})

it('drops the oldest in turn where everything was used', () => {
  const { cache, ask } = cacheOf(30)
  for (let i = 0; i < 100; i++) {
    for (let time = 0; time < 3; time++) ask(`${i}`, 'ten bytes.')
  }
  const left = Array.from({ length: 100 }, (_, i) => i).filter(i => cache.get(`${i}`))
  expect(left).toHaveLength(3)
  expect(left).toContain(99)
})

it('never takes a text for another one', () => {
  const { cache } = cacheOf(10_000)
  const long = 'a'.repeat(6_000)
  const pairs = [
    ['period=562789', 'period=779192', 'their hashes are equal'],
    [`${long}1${long}`, `${long}2${long}`, 'their hashes leave out what differs'],
  ] as const
  for (const [text, other, why] of pairs) {
    for (let i = 0; i < 2; i++) cache.add(text, { text: 'one' })
    expect([cache.get(text), cache.get(other)], why).toEqual([{ text: 'one' }, undefined])
    for (let i = 0; i < 2; i++) cache.add(other, { text: 'two' })
    expect(cache.get(other), why).toEqual({ text: 'two' })
    expect(cache.get(text)?.text, why).not.toBe('two')
  }
})

it('keeps equal texts of several owners', () => {
  const { cache } = cacheOf(10_000)
  for (let i = 0; i < 2; i++)
    for (const owner of ['rsi', 'sma']) cache.add('period=5', { text: owner }, owner)
  expect(['rsi', 'sma', ''].map(owner => cache.get('period=5', owner)?.text)).toEqual([
    'rsi',
    'sma',
    undefined,
  ])
})

import { describe, expect, it } from 'vitest'
import type { Fields } from '../../../src/contract/fields.js'
import { readFields, readQueryString, readText } from '../../../src/contract/fields.js'
import { isRefusal } from '../../../src/contract/refusals.js'

const notJson = { status: 400, error: 'Request body is not valid JSON' }
const fieldsOf = (text: string): Fields => {
  const fields = readFields(text)
  if (isRefusal(fields)) throw new Error(fields.error)
  return fields
}

describe('a body', () => {
  it('is text in UTF-8', () => {
    expect(readText(Buffer.from('{"é":1}'))).toBe('{"é":1}')
    expect(readText(Buffer.from([0x22, 0xff, 0x22]))).toEqual(notJson)
  })

  it('is a JSON object', () => {
    expect(readFields('{"a":')).toEqual(notJson)
    expect(readFields('')).toEqual(notJson)
    for (const text of ['[]', 'null', '5', '"x"'])
      expect(readFields(text), text).toEqual({ status: 400, error: 'Request body must be a JSON object' })
  })

  it('has its own fields only', () => {
    const fields = fieldsOf('{"a":1,"b":null,"__proto__":2}')
    expect([...fields.keys()]).toEqual(['a', 'b', '__proto__'])
    expect(['a', 'b', '__proto__', 'toString'].map(name => fields.has(name))).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(['a', 'b', '__proto__', 'toString'].map(name => fields.get(name))).toEqual([1, null, 2, undefined])
  })

  it('has at most its first hundred fields', () => {
    const all = Object.fromEntries(Array.from({ length: 150 }, (_, k) => [`f${k}`, k]))
    expect([...fieldsOf(JSON.stringify(all))]).toEqual(Object.entries(all).slice(0, 100))
  })
})

describe('a query string', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['', {}],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['&a=1&&b=2&', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['=a', { '': 'a' }],
    ['symbol=BTC%2FUSDT&p=a+b%2Bc', { symbol: 'BTC/USDT', p: 'a b+c' }],
    ['%73ymbol=BTC/USDT', { symbol: 'BTC/USDT' }],
    ['é=ü', { é: 'ü' }],
  ])('%j is read', (text, fields) => {
    expect(Object.fromEntries(readQueryString(text) as Map<string, string>)).toEqual(fields)
  })

  it.each(['a=%', '%=a', 'a=%ff', 'b=1&a=%e0%a4'])('%j has an escape that is no UTF-8', text => {
    expect(readQueryString(text)).toEqual({ status: 400, error: 'Malformed query string' })
  })

  it('has each name once, in any spelling', () => {
    const refusal = (name: string) => ({ status: 400, error: `Repeated parameter: ${name}. Give it once` })
    expect(readQueryString('a=1&b=2&%61=1')).toEqual(refusal('a'))
    expect(readQueryString('a&a')).toEqual(refusal('a'))
    const long = 'x'.repeat(70)
    expect(readQueryString(`${long}&${long}`)).toEqual(refusal('x'.repeat(60)))
  })
})

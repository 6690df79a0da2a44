import { expect, it } from 'vitest'
import { RouteMatcher } from '../../../src/http/route-matcher.js'

const routes = [
  { method: 'get', path: '/things' },
  { method: 'get', path: '/things/{id}' },
  { method: 'post', path: '/things/{id}/test' },
]

it('finds the same, however many paths were asked for before', () => {
  const matcher = new RouteMatcher(routes)
  const find = (path: string) => {
    const match = matcher.match(path)
    return match && [match.path.path, match.segment]
  }
  const long = 'x'.repeat(200)
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 1_500; i++) expect(find(`/things/${i}`)).toEqual(['/things/{id}', String(i)])
    expect(find('/things')).toEqual(['/things', ''])
    expect(find('/things/a%20b')).toEqual(['/things/{id}', 'a b'])
    expect(find('/things/%E0%A4%A')).toEqual(['/things/{id}', undefined])
    expect(find('/things/a/test')).toEqual(['/things/{id}/test', 'a'])
    expect(find(`/things/${long}`)).toEqual(['/things/{id}', long])
    for (const path of ['/things/', '/things/a/b', '/thing/a', '/things//test'])
      expect(find(path)).toBeUndefined()
  }
})

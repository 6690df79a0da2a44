import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { groups, groupsOf, testsOf, usualTests } from '../../groups.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const tests = readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
  .map(path => `test/${path}`)
  .filter(path => path.endsWith('.test.ts'))

describe('the groups of tests', () => {
  it('run after changes of the files that they depend on', () => {
    expect(groupsOf(['bench/http.ts', 'docs/streaming.md'])).toEqual(['benches'])
    expect(groupsOf(['assembly/kernels/momentum/rsi.ts'])).toEqual(['kernels'])
    expect(groupsOf(['src/store/redis/redis.ts', 'page/main.ts'])).toEqual(['browser', 'faults'])
    expect(groupsOf(['test/service/crash.test.ts'])).toEqual(['faults'])
    expect(groupsOf(['package-lock.json'])).toEqual(Object.keys(groups))
    expect(groupsOf(['src/contract/query.ts'])).toEqual(['faults', 'kernels'])
    expect(groupsOf(['README.md', 'src/screens/scan.ts'])).toEqual([])
  })

  it('are chosen by their tags', () => {
    expect(usualTests).toBe('--tags-filter=!(benches || browser || faults || kernels || packages)')
    expect(testsOf(['benches', 'browser'])).toEqual([
      '--tags-filter=benches || browser',
      ...groups.benches.tests,
      ...groups.browser.tests,
    ])
  })

  it.each(Object.entries(groups))('name files that exist, and all with their tests: %s', (name, group) => {
    for (const path of group.changes)
      expect(existsSync(root + path) || readdirSync(root).some(file => file.startsWith(path)), path).toBe(
        true,
      )
    const isTagged = (path: string) => {
      const text = readFileSync(root + path, 'utf8')
      return text.includes(`tags: ['${name}']`) || (name === 'kernels' && /longFor\(\w/.test(text))
    }
    expect(tests.filter(isTagged)).toEqual(
      tests.filter(path => group.tests.some(start => path.startsWith(start)) && isTagged(path)),
    )
    for (const start of group.tests)
      expect(
        tests.some(path => path.startsWith(start) && isTagged(path)),
        start,
      ).toBe(true)
  })
})

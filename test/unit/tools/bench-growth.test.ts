import { describe, expect, it } from 'vitest'
import { growthOf, growthText, withSection } from '../../../bench/growth-document.js'

const points = [
  { axis: 'period', size: 2, cpu: 12, bare: 10 },
  { axis: 'period', size: 500, cpu: 30, bare: 20 },
]

describe('the document of growth', () => {
  it('compares the last size with the first one, each beside its own bare request', () => {
    expect(growthOf(points)).toBeCloseTo(1.25, 10)
  })

  it('has a row for each axis', () => {
    const text = growthText([points], 'a machine')
    expect(text).toContain('| period | 2 → 500 | 12 → 30 µs | 1.25 × |')
  })

  it('replaces what was written before, and nothing else', () => {
    const marks = [
      '<!-- written by: npm run bench -- growth --write-document -->',
      '<!-- end of what the bench writes -->',
    ]
    const document = `before\n${marks[0]}\nold\n${marks[1]}\nafter\n`
    const once = withSection(document, 'new\n')
    expect(once).toBe(`before\n${marks[0]}\n\nnew\n\n${marks[1]}\nafter\n`)
    expect(withSection(once, 'new\n')).toBe(once)
    expect(() => withSection('no marks', 'new')).toThrow('lacks the marks')
  })
})

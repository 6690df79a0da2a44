import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { documentAt, documents, root } from '../support/documents.js'
import { sourceFiles } from '../support/source-code.js'

const names = readdirSync(join(root, 'docs', 'adr')).filter(name => /^\d{4}-/.test(name))
const numbers = names.map(name => Number(name.slice(0, 4)))
const [index = '', merged = ''] = documentAt('docs/adr/README.md').text.split('## Merged')
/** Numbers of decisions that were merged into others or replaced. */
const retired = [...merged.matchAll(/: ([\d, ]+)/g)].flatMap(([, list = '']) => list.split(', ').map(Number))

describe('the decisions', () => {
  it('are at most 60, each with its number in its title and a line in the index', () => {
    expect(names.length).toBeLessThanOrEqual(60)
    for (const [at, name] of names.entries()) {
      expect(documentAt(`docs/adr/${name}`).text.startsWith(`# ${numbers[at]}. `), name).toBe(true)
      expect(index.split(`](${name})`).length, name).toBe(2)
    }
  })

  it('use no number twice, not even that of one that was merged', () => {
    const all = [...numbers, ...retired].sort((a, b) => a - b)
    expect(all).toEqual(Array.from({ length: all.length }, (_, at) => at + 1))
  })

  it('are named by numbers that exist', () => {
    const texts = [...documents, ...sourceFiles('src'), ...sourceFiles('page')]
    const wrong = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/\bADR (\d+)\b/g)]
        .filter(([, number]) => !numbers.includes(Number(number)))
        .map(([name]) => `${path}: ${name}`),
    )
    expect(wrong).toEqual([])
  })
})

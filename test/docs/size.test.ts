import { expect, it } from 'vitest'
import { documents } from '../support/documents.js'

/** Pages that are looked up and not read: the list of documents and that of indicators (generated). */
const lists = ['docs/README.md', 'docs/indicators.md']
const maxPages = 32
const maxWords = 45_000
/** A page of five minutes, with the words of its examples and drawings. */
const maxWordsOfPage = 1_650

/** Marks of tables and drawings are no words. */
const wordsOf = (text: string) => text.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length
const written = documents.filter(({ path }) => /^docs\/[\w-]+\.md$/.test(path))
const pages = written.filter(({ path }) => !lists.includes(path))

it('the documents are few and short', () => {
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.length).toBeLessThanOrEqual(maxPages)
  const counted = [...written, ...documents.filter(({ path }) => path === 'README.md')].filter(
    ({ path }) => path !== 'docs/indicators.md',
  )
  expect(counted.reduce((sum, { text }) => sum + wordsOf(text), 0)).toBeLessThanOrEqual(maxWords)
  expect(pages.filter(({ text }) => wordsOf(text) > maxWordsOfPage).map(({ path }) => path)).toEqual([])
})

import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsOf, type Document, documents, inlineCodeOf, linksOf, root } from '../support/documents.js'

/** Faults of the links of a document. Checks only the form of links to other sites, and does not follow them. */
function brokenLinks(document: Document, all: readonly Document[]): readonly string[] {
  const broken: string[] = []
  for (const { target, line } of linksOf(document)) {
    const fault = faultOf(target, document, all)
    if (fault) broken.push(`${document.path}:${line}: ${target} ${fault}`)
  }
  return broken
}

function faultOf(target: string, document: Document, all: readonly Document[]): string | undefined {
  if (/^[a-z]+:/.test(target)) {
    return URL.canParse(target) && /^https:\/\/[\w.-]+\.[a-z]+(\/|$)/.test(target)
      ? undefined
      : 'is not an https address'
  }
  const [path = '', anchor] = target.split('#')
  const file =
    path === '' ? document.path : posix.normalize(posix.join(posix.dirname(document.path), decodeURI(path)))
  const linked = all.find(each => each.path === file)
  if (file.startsWith('../') || !(linked || existsSync(join(root, file)))) return 'does not exist'
  if (anchor === undefined) return undefined
  if (!linked) return statSync(join(root, file)).isFile() ? 'is not a document with headings' : 'is a folder'
  return anchorsOf(linked).has(anchor) ? undefined : 'names no heading'
}

describe('links', () => {
  it('of all documents lead somewhere', () => {
    expect(documents.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['README.md', 'docs/keys.md', 'docs/adr/0001-resumable-kernels.md']),
    )
    expect(documents.flatMap(each => brokenLinks(each, documents))).toEqual([])
  })

  it('of the README lead, over other pages, to every page of docs', () => {
    const reached = new Set<string>(['README.md'])
    for (const from of reached) {
      const document = documents.find(({ path }) => path === from)
      for (const { target } of document ? linksOf(document) : []) {
        if (!/^[a-z]+:|^#/.test(target))
          reached.add(posix.normalize(posix.join(posix.dirname(from), target.split('#')[0] as string)))
      }
    }
    const pages = documents.filter(({ path }) => path.startsWith('docs/')).map(({ path }) => path)
    expect(pages.filter(path => !reached.has(path))).toEqual([])
  })

  it('have names of files in code that exist', () => {
    // The folders of the project, and those below src that the architecture names without it.
    const file =
      /^(src|test|assembly|page|scripts|bench|deploy|interface|contract|store|operate|http|compute|markets|live|screens|alerts|runtime|candles)\/[\w/.-]+$/
    // Files that the page about a new indicator makes, and a folder that was not taken.
    const elsewhere = ['docs/add-an-indicator.md', 'docs/adr/0027-the-page.md']
    const named = documents
      .filter(({ path }) => /^(docs|[A-Z]+\.md)/.test(path) && !elsewhere.includes(path))
      .flatMap(document =>
        inlineCodeOf(document)
          .filter(code => file.test(code) && (/\.\w+$/.test(code) || /^(src|test|scripts)\//.test(code)))
          .map(code => ({ path: document.path, code })),
      )
    expect(named.length).toBeGreaterThan(150)
    const missing = named.filter(
      ({ code }) => ![code, `src/${code}`, `assembly/${code}`].some(path => existsSync(join(root, path))),
    )
    expect(missing).toEqual([])
  })

  it('that are broken are reported with their line', () => {
    const text = [
      '# A title: with `code`',
      '## Twice',
      '## Twice',
      '[a](#a-title-with-code) [b](#twice-1) [c](#twice-2)',
      '[d](missing.md) ![e](../../outside.png) `[f](no.md)`',
      '```sh',
      '[g](no.md)',
      '```',
      '[h](http://example.org/) [i](https://example.org/x) [j](deploy#x)',
    ].join('\n')
    const document = { path: 'page.md', text }
    expect(brokenLinks(document, [document])).toEqual([
      'page.md:4: #twice-2 names no heading',
      'page.md:5: missing.md does not exist',
      'page.md:5: ../../outside.png does not exist',
      'page.md:9: http://example.org/ is not an https address',
      'page.md:9: deploy#x is a folder',
    ])
  })
})

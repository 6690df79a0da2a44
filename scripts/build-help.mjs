// Writes the pages at /help into dist/help: the documents that docs/README.md lists for use and operation, the pages that are
// derived from the code, the entries of their search, and the program and the style of page/help.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Marked } from 'marked'
import { build } from 'vite'
import { referencePages } from './reference/pages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'dist', 'help')
/** Pages and pictures that are derived from the code, by their paths. */
const derived = new Map([...referencePages()].map(([path, text]) => [`docs/${path}`, text]))
const read = path => derived.get(path) ?? readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')

const listPath = 'docs/README.md'
/** The list of documents without those for developers. */
const list = read(listPath).replace(/^## Develop$[\s\S]*/m, '')

/** A page of the help that is named as code, such as `/help/settling`. In the help it is a link. */
const pageName = /^\/help\/([\w/-]+)(#[\w-]+)?$/

/** The documents of each section of the list: a link of the first column leads to each, or it names a derived page. */
const sections = list
  .split(/^## /m)
  .slice(1)
  .map(text => ({
    title: /^.*/.exec(text)[0],
    documents: [...text.matchAll(/^\| ([^|\n]*) \|/gm)].flatMap(([, cell]) => {
      const [, derived] = /\(`\/help\/([\w-]+)`\)$/.exec(cell) ?? []
      if (derived !== undefined)
        return [{ title: cell.slice(0, cell.indexOf(' (`')), path: posix.join('docs', `${derived}.md`) }]
      return [...cell.matchAll(/\[([^\][]+)\]\(([^()]+)\)/g)].map(([, title, link]) => ({
        title,
        path: posix.join('docs', link),
      }))
    }),
  }))

/** Path of a document below /help; the list itself is at its top. */
const addressOf = path =>
  path === listPath
    ? ''
    : path === 'README.md'
      ? 'about'
      : path
          .replace(/^docs\//, '')
          .replace(/(\/README)?\.md$/, '')
          .toLowerCase()

const indicatorPages = [...derived.keys()].filter(path => /^docs\/indicators\/.*\.md$/.test(path))
const paths = [
  listPath,
  ...sections.flatMap(({ documents }) => documents.map(({ path }) => path)),
  ...indicatorPages,
]
const addresses = new Map(paths.map(path => [path, addressOf(path)]))
const known = new Set(addresses.values())
const images = new Set()

const escaped = text =>
  text.replace(/[&<>"]/g, letter => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter])
const unescaped = text =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name],
  )
/** The text of HTML. Words of two cells or lines stay two words. */
const plain = html =>
  unescaped(html.replace(/<\/?(td|th|tr|li|p|h\d|pre)\b[^>]*>/g, ' ').replace(/<[^<>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim()

/** The anchor of a heading, like GitHub's. */
const slugOf = text =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')

/** Headings of the first column of tables whose rows are search entries. */
const listsThings = new Set(['Variable', 'Message'])
/** Maximum number of rows of a table with search entries; tables with a row for each indicator would match every word. */
const maxSearchedRows = 40
/** Maximum number of characters of a section that are searched. */
const maxSearchedText = 1500

/** Renders the page of a document, and its search entries. */
class Renderer {
  #path
  #marked
  #anchors = new Set()
  /** Search entries of the page: a heading, or a row of a list of things. */
  entries = []
  title = ''

  constructor(path) {
    this.#path = path
    const renderer = this
    this.#marked = new Marked({
      renderer: {
        heading({ tokens, depth }) {
          return renderer.#heading(this.parser.parseInline(tokens), depth)
        },
        link({ href, tokens }) {
          return renderer.#link(href, this.parser.parseInline(tokens))
        },
        image: ({ href, text }) => this.#image(href, text),
        table(table) {
          return renderer.#table(table, ({ tokens }) => this.parser.parseInline(tokens))
        },
        codespan: ({ text }) => this.#codespan(text),
        code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
        html: ({ text }) => this.#html(text),
      },
    })
  }

  render(text) {
    const marked = this.#marked
    return marked
      .lexer(text)
      .map(token => {
        const html = marked.parser([token])
        this.#name(token)
        const isLong = token.type === 'table' && token.rows.length > maxSearchedRows
        if (token.type !== 'heading' && !isLong && !this.#isListOfThings(token)) this.#find(plain(html))
        return html
      })
      .join('')
  }

  /** Adds other names to the entry of the section: words of a comment for the search, or the title below the id of an indicator. */
  #name({ type, text, tokens }) {
    const [, words] = /^<!-- search: (.*?) -->/.exec(text ?? '') ?? []
    const isTitle = type === 'paragraph' && tokens.length === 1 && tokens[0].type === 'strong'
    const entry = this.entries.findLast(({ isRow }) => !isRow)
    if (entry && (words ?? isTitle)) entry.names += ` ${words ?? tokens[0].text}`
  }

  /** Adds a text to the search entry of its section. */
  #find(text) {
    const entry = this.entries.findLast(({ isRow }) => !isRow)
    if (entry && text !== '') entry.text = `${entry.text} ${text}`.trim().slice(0, maxSearchedText)
  }

  #anchor(text) {
    const name = slugOf(text)
    let anchor = name
    for (let count = 1; this.#anchors.has(anchor); count++) anchor = `${name}-${count}`
    this.#anchors.add(anchor)
    return anchor
  }

  #heading(html, depth) {
    const title = plain(html)
    const anchor = this.#anchor(title)
    if (depth === 1) this.title = title
    this.entries.push({ anchor: depth === 1 ? '' : anchor, title, text: '', names: '', isRow: false })
    return `<h${depth} id="${anchor}">${html}</h${depth}>\n`
  }

  /** A link. Targets outside the pages, such as source files, become plain text. */
  #link(href, text) {
    if (/^https:/.test(href)) return `<a href="${escaped(href)}" rel="noopener noreferrer">${text}</a>`
    const [file, anchor] = href.split('#')
    const path = file === '' ? this.#path : posix.join(posix.dirname(this.#path), file)
    const address = addresses.get(path)
    if (address === undefined) return text
    return `<a href="${this.#relative(address)}${anchor === undefined ? '' : `#${anchor}`}">${text}</a>`
  }

  #codespan(text) {
    const code = `<code>${escaped(text)}</code>`
    const [, address, anchor = ''] = pageName.exec(text) ?? []
    if (address === undefined) return code
    if (!known.has(address)) throw new Error(`${this.#path} names ${text}, which is no page`)
    return `<a href="${this.#relative(address)}${anchor}">${code}</a>`
  }

  #image(href, text) {
    const path = posix.join(posix.dirname(this.#path), href)
    // Other pictures show the page itself, which is one click away.
    if (!path.endsWith('.svg')) return ''
    images.add(path)
    const [size = ''] = / width="\d+" height="\d+"/.exec(read(path)) ?? []
    return `<img src="${this.#relative(posix.relative('docs', path))}" alt="${escaped(text)}" loading="lazy"${size} />`
  }

  /** Documents have comments for the programs that write parts of them, and no other HTML. */
  #html(text) {
    if (/^(\s*<!--.*?-->)*\s*$/s.test(text)) return ''
    throw new Error(`${this.#path} has HTML: ${text}`)
  }

  #isListOfThings = ({ type, header }) => type === 'table' && listsThings.has(header[0].text)

  #table(table, inline) {
    const isList = this.#isListOfThings(table)
    const head = table.header.map(cell => `<th scope="col"${alignOf(cell)}>${inline(cell)}</th>`).join('')
    const rows = table.rows.map(cells => {
      const texts = cells.map(inline)
      const id = isList ? ` id="${this.#row(texts)}"` : ''
      return `<tr${id}>${texts.map((text, at) => `<td${alignOf(cells[at])}>${text}</td>`).join('')}</tr>\n`
    })
    return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead>\n<tbody>${rows.join('')}</tbody></table></div>\n`
  }

  /** Creates the search entry of a row; returns its anchor. */
  #row([name, ...texts]) {
    const title = plain(name)
    const anchor = this.#anchor(title.slice(0, 60))
    this.entries.push({ anchor, title, text: plain(texts.join(' ')), names: '', isRow: true })
    return anchor
  }

  #relative(address) {
    return relativeTo(this.#path, address)
  }
}

const alignOf = ({ align }) => (align === 'right' ? ' class="is-right"' : '')

/** The address of something below /help relative to the page of a document, which may be below any path of a proxy. */
function relativeTo(path, address) {
  const from = addresses.get(path)
  if (from === '') return address === '' ? 'help' : `help/${address}`
  const depth = from.split('/').length - 1
  return address === '' ? `${'../'.repeat(depth + 1)}help` : '../'.repeat(depth) + address
}

function pageOf(path, { title }, html) {
  const to = address => relativeTo(path, address)
  const home = path === listPath ? './' : '../'.repeat(addresses.get(path).split('/').length)
  const item = each => {
    const current = each.path === path ? ' aria-current="page"' : ''
    return `<li><a href="${to(addresses.get(each.path))}"${current}>${escaped(each.title)}</a></li>`
  }
  const nav = sections
    .map(section => `<h2>${section.title}</h2>\n<ul>${section.documents.map(item).join('')}</ul>`)
    .join('\n')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(path === listPath ? 'Help' : title)} · Candela</title>
    <link rel="icon" href="${to('icon.svg')}" type="image/svg+xml" />
    <link rel="stylesheet" href="${to('help.css')}" />
    <script src="${to('help.js')}"></script>
  </head>
  <body>
    <a class="skip" href="#content">To the text</a>
    <header>
      <a class="home" href="${home}">Candela</a>
      <a href="${to('')}">Help</a>
      <a href="${home}docs">Reference</a>
      <search><input type="search" aria-label="Search the help" placeholder="Search: rsi, HISTORY_DEPTH, an error …" autocomplete="off" spellcheck="false" /></search>
    </header>
    <nav aria-label="Documents"><details open><summary>All documents</summary>
${nav}
    </details></nav>
    <main id="content" tabindex="-1"><section class="results" aria-label="Results" hidden></section><article>
${html}</article></main>
  </body>
</html>
`
}

await build({
  root: join(root, 'page/help'),
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: target,
    emptyOutDir: true,
    target: 'es2022',
    lib: {
      entry: 'main.ts',
      formats: ['iife'],
      name: 'help',
      fileName: () => 'help.js',
      cssFileName: 'help',
    },
  },
})

/** The other names of an indicator, by the text of its section. */
const namesIn = text => / Other names: (.*?)(?= Source: |$)/.exec(text)?.[1] ?? ''

const searched = []
for (const path of paths) {
  const renderer = new Renderer(path)
  const html = renderer.render(path === listPath ? list : read(path))
  const address = addresses.get(path)
  const file = join(target, `${address || 'index'}.html`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, pageOf(path, renderer, html))
  searched.push({
    address,
    title: renderer.title,
    entries: renderer.entries.map(({ anchor, title, text, names }) => [
      anchor,
      title,
      text,
      `${names} ${namesIn(text)}`.trim(),
    ]),
  })
}
writeFileSync(join(target, 'search.json'), JSON.stringify(searched))
cpSync(join(root, 'page/icon.svg'), join(target, 'icon.svg'))
for (const image of images) {
  const file = join(target, posix.relative('docs', image))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, read(image))
}

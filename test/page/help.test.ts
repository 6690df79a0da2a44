import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Search } from '../../page/help/search.js'
import { catalogue, categories } from '../../src/catalogue/index.js'
import { settings } from '../../src/operate/settings/config.js'
import { documentAt, documents, inlineCodeOf, root } from '../support/documents.js'

const folder = join(root, 'dist', 'help')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name =>
  name.replaceAll('\\', '/'),
)
/** The text of each page by its path; the list of documents is at `/help` itself. */
const pages = new Map(
  files
    .filter(name => name.endsWith('.html'))
    .map(name => [
      name === 'index.html' ? '/help' : `/help/${name.replace(/\.html$/, '')}`,
      readFileSync(join(folder, name), 'utf8'),
    ]),
)
/** Paths of the service that are not pages. */
const others = new Set(['/', '/docs', ...files.map(name => `/help/${name}`)])

const addressesOf = (html: string) =>
  [...html.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address)

/** Fault of an address in a page. */
function faultOf(address: string, path: string): string | undefined {
  if (/^https:/.test(address)) return undefined
  const { pathname, hash } = new URL(address, `http://service${path}`)
  const page = pages.get(pathname)
  if (page === undefined) return others.has(pathname) ? undefined : `${path}: ${address}`
  const anchor = decodeURIComponent(hash.slice(1))
  return anchor === '' || page.includes(` id="${anchor}"`) ? undefined : `${path}: ${address}`
}

describe('the pages of the help', () => {
  it('are the documents for use and operation, and no others', () => {
    const listed = documentAt('docs/README.md').text.split('## Develop')[0] ?? ''
    const links = [...listed.matchAll(/\]\(([\w./-]+\.md)\)|\(`\/help\/([\w-]+)`\)/g)].map(([, link, name]) =>
      posix.join('docs', link ?? name ?? ''),
    )
    expect(links.length).toBeGreaterThan(25)
    expect(pages.size).toBe(new Set(links).size + Object.keys(categories).length + 1)
  })

  it('have every setting with its default, what is allowed and its meaning', () => {
    const text = (html: string) => html.replace(/<[^>]*>/g, '').replaceAll('&quot;', '"')
    const rows = (pages.get('/help/settings') ?? '').match(/<tr id=.*$/gm) ?? []
    expect(rows.map(row => text(row.replaceAll('</td>', ' ')).split(' ').slice(0, 2))).toEqual(
      settings.map(({ name, default: standard }) => [name, `${standard}`.split(' ')[0]]),
    )
    const page = text(pages.get('/help/settings') ?? '')
    // Up to the first mark of Markdown or letter that HTML writes otherwise.
    const startOf = (meaning: string) => meaning.split(/[`[<>&"']/)[0] as string
    expect(settings.map(({ meaning }) => startOf(meaning)).filter(start => !page.includes(start))).toEqual([])
  })

  it('have every name in the form of an address as a page', () => {
    const names = documents.flatMap(document =>
      inlineCodeOf(document)
        .filter(code => /^\/help\/[\w/#-]+$/.test(code))
        .map(code => ({ place: document.path, code })),
    )
    expect(names.length).toBeGreaterThan(15)
    expect(names.flatMap(({ place, code }) => faultOf(code, place) ?? [])).toEqual([])
  })

  it('have links, pictures and anchors that lead somewhere', () => {
    const faults = [...pages].flatMap(([path, html]) => addressesOf(html).map(each => faultOf(each, path)))
    expect(faults.length).toBeGreaterThan(3000)
    expect(faults.filter(Boolean)).toEqual([])
    expect(faultOf('none', '/help'), 'what leads nowhere is found').toBe('/help: none')
    expect(faultOf('help/requests#none', '/help')).toBe('/help: help/requests#none')
  })

  it('load nothing from elsewhere, and have no script or style within', () => {
    for (const [path, html] of pages) {
      expect(html.match(/<(script|img|link)\b[^>]*(src|href)="(https?:)?\/\//g), path).toBe(null)
      expect(html.match(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/g), path).toBe(null)
    }
  })
})

describe('the search of the help', () => {
  const search = new Search(JSON.parse(readFileSync(join(folder, 'search.json'), 'utf8')))
  const first = (text: string) => search.find(text)[0]?.address
  /** Anchors of messages are long: their beginning is enough. */
  const isAt = (address: string, found = '') =>
    address.startsWith('messages#') ? found.startsWith(address) : found === address

  it.each([
    // Words of people who do not know the words of the documents.
    ['backtest', 'evaluation'],
    ['how do I create a key', 'keys#create-a-key'],
    ['stochastic', 'indicators/momentum#stoch'],
    ['time zone', 'requests#replies'],
    ['docker', 'deploying#docker'],
    ['tradingview differs', 'tradingview#when-a-value-differs-from-tradingview'],
    ['csv', 'tables'],
    ['excel', 'tables#excel-and-power-bi'],
    ['limit', 'keys#plans-and-limits'],
    ['429', 'keys#plans-and-limits'],
    ['pandas', 'tables#pandas-polars-pyarrow-and-duckdb'],
    ['webhook', 'alerts#webhooks'],
    ['telegram', 'alerts#messengers-and-templates'],
    ['alerts email', 'alerts#e-mail'],
    ['renko', 'values#charts'],
    ['repaint', 'values#charts'],
    ['look ahead', 'evaluation#no-look-ahead'],
    ['null value', 'values#where-nothing-moves'],
    ['202', 'requests#first-request-for-a-market'],
    ['503', 'requests#errors'],
    ['funding rate', 'markets#funding-open-interest-mark-and-index-prices'],
    ['apple stock', 'markets#stocks'],
    ['backup', 'deploying#backups'],
    ['tls certificate', 'deploying#tls-without-a-proxy'],
    ['update version', 'deploying#updating'],
    ['nginx', 'deploying#behind-nginx'],
    ['prometheus', 'troubleshooting#metrics'],
    ['grafana', 'tables#grafana'],
    ['redis', 'scaling#several-nodes'],
    ['import csv file', 'own-history#import'],
    ['websocket', 'streaming'],
    ['python', 'python'],
    ['typescript', 'client'],
    ['chatgpt', 'mcp'],
    ['pine script', 'tradingview#a-whole-script'],
    ['port in use', 'messages#cannot-listen-on'],
    // Names.
    ['rsi', 'indicators/momentum#rsi'],
    ['bollinger bands', 'indicators/trend#bbands'],
    ['RMA', 'indicators/trend#smma'],
    ['HISTORY_DEPTH', 'settings#history_depth'],
    ['history_dep', 'settings#history_depth'],
    ['tradingview', 'tradingview'],
    ['pine', 'tradingview#pine-and-expressions'],
    ['close codes', 'streaming#close-codes'],
    ['Not enough candles: rsi needs 15, 8 available', 'messages#not-enough-candles--needs--'],
  ])('finds %s', (text, address) => {
    expect(isAt(address, first(text)), `${first(text)}`).toBe(true)
  })

  it('finds each indicator and each setting by its name', () => {
    const missing = [
      ...[...catalogue.keys()].filter(
        name => !search.find(name).some(({ address }) => address.endsWith(`#${name}`)),
      ),
      ...settings
        .map(({ name }) => name)
        .filter(
          name => !search.find(name).some(({ address }) => address === `settings#${name.toLowerCase()}`),
        ),
    ]
    expect(missing).toEqual([])
  })

  it('finds nothing for what is nowhere', () => {
    expect(search.find('xyzzyplugh')).toEqual([])
    expect(search.find('')).toEqual([])
  })
})

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { timeframes } from '../../../../src/candles/timeframe.js'
import { exchangeIds, readCoverage } from '../../../../src/markets/exchanges/ccxt/exchange-list.js'

const coverage = readCoverage()
const find = (id: string) => coverage.find(each => each.id === id)

describe('the coverage of the exchanges', () => {
  it('is what the build reads from ccxt, without a request', { tags: ['packages'] }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'candela-exchanges-'))
    const file = join(directory, 'exchanges.json')
    const offline =
      'data:text/javascript,import net from "node:net";net.Socket.prototype.connect=()=>process.exit(9)'
    await promisify(execFile)(process.execPath, ['--import', offline, 'scripts/exchange-list.mjs', file])
    expect(readFileSync(file, 'utf8')).toBe(readFileSync('build/exchanges.json', 'utf8'))
    rmSync(directory, { recursive: true })
  })

  it('has every exchange that candles can be fetched from, once', () => {
    expect(coverage.map(({ id }) => id)).toEqual(exchangeIds)
  })

  it('says for each timeframe where it comes from', () => {
    for (const { id, timeframes: origins } of coverage) {
      expect(Object.keys(origins), id).toEqual(Object.keys(timeframes))
      for (const origin of Object.values(origins)) {
        if (origin !== null && origin !== 'native') expect(origins[origin], id).toBe('native')
      }
    }
  })

  it('has an exchange with everything', () => {
    expect(find('binance')).toEqual({
      id: 'binance',
      name: 'Binance',
      timeframes: {
        '1m': 'native',
        '3m': 'native',
        '5m': 'native',
        '15m': 'native',
        '30m': 'native',
        '1h': 'native',
        '2h': 'native',
        '4h': 'native',
        '6h': 'native',
        '8h': 'native',
        '12h': 'native',
        '1d': 'native',
        '3d': 'native',
        '1w': 'native',
        '1M': 'native',
      },
      live: 'watch',
      pageSize: 1000,
      intervalMs: 50,
      derivatives: ['funding', 'openinterest', 'markprice', 'indexprice'],
      notes: [],
    })
  })

  it('has exchanges whose timeframes are made of finer ones, or are missing', () => {
    expect(find('bitteam')?.timeframes).toMatchObject({ '4h': '1h', '1d': 'native', '1w': '1d' })
    expect(find('mercado')).toMatchObject({
      timeframes: { '1m': null, '5m': null, '15m': 'native', '4h': '1h' },
      notes: ['no 1m, 3m, 5m'],
    })
  })

  it('knows which are polled, which have no known page size and which have contracts only', () => {
    expect(find('bitstamp')).toMatchObject({ live: 'poll', pageSize: 1000, derivatives: ['funding'] })
    expect(find('gemini')).toMatchObject({ live: 'watch', pageSize: null })
    expect(find('krakenfutures')).toMatchObject({ pageSize: 2000, notes: ['contracts only'] })
  })

  it('knows which require keys or a setting for candles, and that most do not', () => {
    expect(find('alpaca')?.notes, 'its list of markets is private').toEqual(['needs apiKey, secret'])
    expect(find('luno')?.notes, 'its candles are private').toEqual(['needs apiKey, secret'])
    expect(find('cex')?.notes).toEqual([expect.stringContaining('"dataType"')])
    expect(find('pacifica')?.notes, 'it insists on a range of time, which the service gives').toEqual([])
    expect(coverage.filter(({ notes }) => notes.some(note => note.startsWith('needs')))).toHaveLength(5)
  })
})

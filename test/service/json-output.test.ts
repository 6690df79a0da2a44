import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../src/catalogue/index.js'
import { commands } from '../../src/cli/commands.js'
import { parameterNames } from '../../src/cli/indicator-argument.js'
import { runCommand } from '../support/command-line.js'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-json-'))
  const rows = [0, 1, 2].map(hour => `${Date.UTC(2026, 0, 1, hour) / 1000},100,101,99,100.5,10`)
  mkdirSync(join(directory, 'data'))
  writeFileSync(join(directory, 'mine.csv'), `timestamp,open,high,low,close\n${rows.join('\n')}\n`)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Runs a command in this process, on the directory of this file. */
const candela = (...words: string[]) => runCommand(words, { DATA_DIR: join(directory, 'data'), PORT: '1' })

async function loaded(): Promise<Command> {
  const program = new Command()
  for (const load of Object.values(commands)) (await load())(program)
  return program
}

describe('--json', () => {
  it('is an option of every command with a result', async () => {
    const without = (await loaded()).commands
      .flatMap(command => (command.commands.length > 0 ? command.commands : [command]))
      .filter(command => !command.options.some(({ long }) => long === '--json'))
    expect(without.map(command => command.name())).toEqual(['serve', 'mcp', 'completion'])
  })

  it('prints what import and export did, and what failed', async () => {
    const market = { exchange: 'kraken', symbol: 'BTCUSD', timeframe: '1h' }
    const [from, to] = [Date.UTC(2026, 0, 1) / 1000, Date.UTC(2026, 0, 1, 2) / 1000]
    const imported = await candela(
      'import',
      join(directory, 'mine.csv'),
      '--exchange',
      'kraken',
      '--symbol',
      'BTC/USD',
      '--json',
    )
    expect(JSON.parse(imported.out)).toMatchObject({
      ...market,
      isDryRun: false,
      from,
      to,
      candles: 3,
      new: 3,
    })
    expect(JSON.parse(imported.err)).toEqual({ note: 'no volume, taken as 0' })

    const exported = await candela(
      'export',
      'kraken',
      'BTCUSD',
      '1h',
      '--json',
      '--to',
      '2026-01-01 02:00:00',
    )
    expect(JSON.parse(exported.out)).toMatchObject([
      { timestamp: from, timestampHuman: '2026-01-01 00:00:00', close: 100.5, volume: 0 },
      { timestamp: from + 3600 },
    ])
    const none = await candela('export', 'kraken', 'BTCUSD', '1h', '--json', '--to', '2020-01-01')
    expect(JSON.parse(none.out)).toEqual([])

    const failures = await Promise.all([
      candela('export', 'kraken', 'ETHUSD', '1h', '--json'),
      candela('backfill', 'demo', 'BTCUSDT', '1h', '--depth', '5', '--json'),
      candela('health', '--json'),
    ])
    expect(failures.map(({ code, err }) => [code, JSON.parse(err).error])).toEqual([
      [1, expect.stringContaining('There are no stored candles of kraken ETHUSD 1h')],
      [1, 'demo computes its candles, there is nothing to fetch'],
      [1, expect.stringContaining('http://127.0.0.1:1/health/live cannot be reached')],
    ])
    const repaired = await candela('repair', '--json')
    expect(JSON.parse(repaired.out)).toEqual({ dataDirectory: join(directory, 'data'), damaged: {} })
  })
})

describe('candela indicators', () => {
  it('describes one with its definition, parameters, outputs, warm-up and source', async () => {
    const { out } = await candela('indicators', 'rsi')
    for (const text of [
      'rsi: Relative Strength Index (RSI)\nCategory: Momentum\n',
      '100·G / (G + L)',
      'period = 14 (integer from 2 to 500)',
      'Outputs:\n  value\n',
      'Warm-up: the first value comes after 14 candles',
      'Source: Wilder',
    ])
      expect(out).toContain(text)
    expect(Math.max(...out.split('\n').map(line => line.length))).toBeLessThanOrEqual(100)
    const one = JSON.parse((await candela('indicators', 'ma', '--json')).out)
    expect(one).toMatchObject({ id: 'ma', definition: expect.any(Array), source: expect.any(String) })
  })

  it('lists those of a category or with words, and suggests similar names', async () => {
    const ids = async (...words: string[]) =>
      JSON.parse((await candela('indicators', '--json', ...words)).out).map(({ id }: { id: string }) => id)
    const cycle = [...catalogue.values()].filter(({ category }) => category === 'Cycle')
    expect(await ids('--category', 'cyc')).toEqual(cycle.map(({ name }) => name).sort())
    expect(await ids('--search', 'weighted average')).toContain('wma')
    const answers = await Promise.all([
      candela('indicators', 'supertrand'),
      candela('indicators', '--category', 'vol'),
      candela('indicators', '--search', 'nothing such'),
    ])
    expect(answers.map(({ code, err }) => `${code} ${err.split('\n')[0]}`)).toEqual([
      expect.stringMatching(/^2 .*There is no such indicator\. Did you mean supertrend\?$/),
      expect.stringMatching(/^2 .*This may mean Volatility or Volume\.$/),
      '1 candela: No indicator has the words "nothing such"',
    ])
  })
})

describe('the parameters of indicators', () => {
  it('never have the name of another option', async () => {
    const program = await loaded()
    const names = ['compute', 'watch', 'chart'].flatMap(name =>
      (program.commands.find(command => command.name() === name) as Command).options.map(({ long }) => long),
    )
    const parameters = new Set([...catalogue.values()].flatMap(entry => parameterNames(entry)))
    expect([...parameters].filter(name => names.includes(`--${name}`))).toEqual([])
  })
})

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { columnNames } from '../../src/candles/columns.js'
import { runCommand } from '../support/command-line.js'
import { realShaped } from '../support/real-shaped-market.js'
import { bash as runScript } from '../support/shell.js'

const cli = fileURLToPath(new URL('../../dist/cli/candela.js', import.meta.url))
let directory: string
let small: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-compute-'))
  small = fileOf(500, 'small.csv')
  process.chdir(directory)
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function fileOf(count: number, name: string): string {
  const market = realShaped(count, 3)
  const rows = market.timestamp.map((_, i) => columnNames.map(column => market[column][i]).join(','))
  const path = join(directory, name)
  writeFileSync(path, `${columnNames.join(',')}\n${rows.join('\n')}\n`)
  return path
}

/** Runs a command in this process. */
const candela = (words: string, input?: string) => runCommand(words.split(' '), {}, input)

/** Runs a script whose subject is a process and its streams. */
const bash = (script: string) =>
  runScript(script.replaceAll('candela ', `'${process.execPath}' '${cli}' `), directory)

describe('candela compute', () => {
  it('reads standard input or a file, and takes parameters in both spellings', async () => {
    const [piped, named, other] = await Promise.all([
      bash('candela compute macd --fastPeriod 5 < small.csv'),
      candela('compute macd small.csv --fast-period 5 --out out.csv'),
      candela('compute macd', readFileSync(small, 'utf8')),
    ])
    expect(piped.err).toBe('')
    expect(piped.out.split('\n')).toHaveLength(502)
    expect(named).toMatchObject({ code: 0, out: '' })
    expect(readFileSync(join(directory, 'out.csv'), 'utf8')).toBe(piped.out)
    expect(other.out).not.toBe(piped.out)
  })

  it('prints which column is read as what, and stops', async () => {
    const lines = 'Datum;Uhrzeit;Erster;Hoch;Tief;Schluss\n31.01.2024;09:30;1,5;3,5;1,5;2,5\n'
    writeFileSync(join(directory, 'german.csv'), lines)
    const [compute, json] = await Promise.all([
      candela('compute rsi german.csv --utc-offset Europe/Berlin --explain'),
      candela('import german.csv --exchange kraken --symbol XYZ/EUR --explain --json'),
    ])
    const columns =
      'timestamp: column 1 "Datum" and column 2 "Uhrzeit", open: column 3 "Erster", high: column 4 "Hoch", low: column 5 "Tief", close: column 6 "Schluss", dates begin with the day, times without a zone are in'
    const end = ', decimals begin with a comma'
    expect(compute).toEqual({ code: 0, err: '', out: `german.csv: ${columns} Europe/Berlin${end}\n` })
    expect(JSON.parse(json.out)).toEqual({ file: 'german.csv', reading: `${columns} UTC${end}` })
  })

  it('needs nothing but closes for an indicator that reads nothing else', async () => {
    writeFileSync(join(directory, 'closes.csv'), 'date,close\n2025-01-01,1\n2025-01-02,3\n2025-01-03,8\n')
    const [sma, atr, other] = await Promise.all([
      candela('compute sma closes.csv --period 2'),
      candela('compute atr closes.csv --period 2'),
      candela('compute sma closes.csv --period 2 --source hl2'),
    ])
    expect(sma).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^timestamp,value\n.*,\n.*,2\n.*,5.5\n$/),
    })
    expect(sma.err).toContain('only closes, taken as open, high and low')
    for (const { code, err } of [atr, other])
      expect([code, err]).toEqual([1, expect.stringContaining('no column for open, high, low')])
  })

  it('ends quietly when the reader of its output does', async () => {
    const large = fileOf(10_000, 'large.csv')
    const { code, out, err } = await bash(`set -o pipefail; candela compute rsi '${large}' | head -n 2`)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n')[0]).toBe('timestamp,value')
  })

  it('writes values while candles still arrive', async () => {
    const child = spawn(process.execPath, [cli, 'compute', 'rsi'], { env: { PATH: process.env.PATH } })
    child.stdin.write(readFileSync(fileOf(5000, 'half.csv')))
    const [first] = await new Promise<string[]>(resolve => {
      let text = ''
      child.stdout.on('data', chunk => {
        text += chunk
        if (text.split('\n').length > 1000) resolve(text.split('\n'))
      })
    })
    expect(first).toBe('timestamp,value')
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.stdin.end()
    expect(await ended).toBe(0)
  })

  it('says what is wrong: 2 for a wrong command line, 1 for wrong candles', async () => {
    const answers = await Promise.all([
      candela('compute supertrand'),
      candela('compute rsi --perid 3'),
      candela('compute rsi --period 0'),
      candela('compute rsi --period 0 --json'),
      candela('compute'),
      candela('compute rsi --all'),
      candela('compute rsi none.csv'),
      candela('compute rsi --json', '1,2\n'),
    ])
    expect(answers.map(({ code, err }) => `${code} ${err.split('\n')[0]}`)).toEqual([
      "2 error: 'supertrand' is invalid. There is no such indicator. Did you mean supertrend?",
      "2 error: unknown option '--perid'",
      '2 error: Invalid period: 0. Expected integer, 2 to 500',
      '2 {"error":"Invalid period: 0. Expected integer, 2 to 500"}',
      "2 error: missing required argument 'indicator', --expression or --all",
      '2 error: --all computes every indicator: leave out rsi',
      `1 candela: Cannot read "none.csv": ENOENT: no such file or directory, open 'none.csv'`,
      '1 {"error":"standard input line 1: no column for timestamp, open, high, low, close; the first line names 1, 2 (add --columns timestamp=<name>,open=<name>,high=<name>,low=<name>,close=<name>)"}',
    ])
    expect(answers[1]?.err).toContain('Did you mean --period?')
    expect(answers[3]?.err.trim().split('\n')).toHaveLength(1)
  })
})

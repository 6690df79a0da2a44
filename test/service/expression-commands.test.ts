import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../support/command-line.js'
import { startTestService, type TestService } from '../support/test-service.js'
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.js'

let service: TestService
let receiver: WebhookReceiver
let directory: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'candela-expressions-'))
  receiver = await startReceiver()
  service = await startTestService({ alertsPrivateTargets: true, alertsGiveUpSeconds: 0 })
})
afterAll(async () => {
  await service.close()
  await receiver.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Runs a command in this process, with the service that runs in it, too. */
const candela = async (...args: readonly string[]) => {
  const settings = { CANDELA_URL: service.url, CANDELA_KEY: 'many', DATA_DIR: directory, NO_COLOR: '1' }
  const { code, out, err } = await runCommand(args, settings)
  return { status: code, stdout: out, stderr: err }
}

const post = async (path: string, body: unknown) =>
  (
    await fetch(service.url + path, {
      method: 'POST',
      // A busy machine may take longer to make the candles of many markets than a reply waits for.
      headers: { authorization: 'Bearer many', 'content-type': 'application/json', prefer: 'wait=10' },
      body: JSON.stringify(body),
    })
  ).json()

describe('candela breadth', () => {
  it('prints a table of the values by time, from a service and by itself', async () => {
    const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT']
    const request = { exchange: 'demo', timeframe: '1h', symbols, results: 2 }
    const measures = { advances: 'advances', above: 'breadth(close > sma(20))' }
    const { timestamp, measures: found } = await post('/breadth', { ...request, measures })
    const args = [
      ...['breadth', 'demo', '1h', 'advances', 'above=breadth(close > sma(20))'],
      ...['--symbols', symbols.join(), '--results', '2'],
    ]
    const { status, stdout, stderr } = await candela(...args)
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map(line => line.split(/ {2,}/))
    expect([status, rows[0]]).toEqual([0, ['TIME', 'ADVANCES', 'MARKETS', 'ABOVE', 'MARKETS']])
    expect(rows.slice(1).map(([, advances, markets]) => [Number(advances), markets])).toEqual(
      [0, 1].map(i => [found.advances.value[i], '3']),
    )
    expect(rows.slice(1).map(([time]) => Date.parse(`${time}Z`.replace('ZZ', 'Z')) / 1000)).toEqual(timestamp)
    expect(stderr).toContain('3 markets; the last candle is forming')
    // Without a service, at the time of this machine.
    const alone = await runCommand([...args, '--json'], { DATA_DIR: directory, NO_COLOR: '1' })
    expect([alone.code, JSON.parse(alone.out).measures.above.markets]).toEqual([0, [3, 3]])
  })

  it('says when two measures have one name, and what is refused', async () => {
    const names = await candela('breadth', 'demo', '1h', '1 + 1', '2 + 2')
    expect([names.status, names.stderr]).toEqual([
      1,
      expect.stringContaining('Two measures are called value: write a name before each, as in up=advances'),
    ])
    const refused = await candela('breadth', 'demo', '1h', 'rsi(14)')
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('of a single market')])
  })
})

describe('candela screen', () => {
  it('prints a table of the matches, and how many markets were screened', async () => {
    const request = {
      ...{ exchange: 'demo', timeframe: '1h', symbols: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'] },
      ...{ where: 'close > 0', select: { rsi: 'rsi(14)', up: 'close > open' }, orderBy: 'rsi desc' },
    }
    const { matches } = await post('/screen', request)
    const { status, stdout, stderr } = await candela(
      ...[
        'screen',
        'demo',
        '1h',
        'close > 0',
        '--symbols',
        'btc/usdt,ETHUSDT,SOLUSDT',
        '--order-by',
        'rsi desc',
      ],
      ...['--select', 'rsi=rsi(14)', '--select', 'up=close > open', '--url', service.url],
    )
    expect([status, stderr]).toEqual([0, 'candela: 3 of 3 markets\n'])
    const [head, ...rows] = stdout.trimEnd().split('\n')
    expect(head?.split(/\s{2,}/)).toEqual(['SYMBOL', 'TIME', 'RSI', 'UP'])
    expect(rows.map(row => row.split(' ')[0])).toEqual(
      matches.map(({ symbol }: { symbol: string }) => symbol),
    )
    for (const [at, row] of rows.entries()) expect(row).toMatch(new RegExp(`${matches[at].up}\\s*$`))
  })

  it('prints the answer of the service as JSON', async () => {
    const args = ['screen', 'demo', '1h', 'close < 0', '--json', '--url', service.url]
    const { status, stdout } = await candela(...args)
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual(
      await post('/screen', { exchange: 'demo', timeframe: '1h', where: 'close < 0' }),
    )
  })
})

describe('commands of expressions', () => {
  const evaluate = ['evaluate', 'demo', 'BTCUSDT', '1h', '--entry']
  it.each([
    [1, ['screen', 'demo', '1h', 'rsi(14) <'], /^candela: where: Invalid expression at character 10/],
    [1, ['screen', 'demo', '1h', 'rsi(14)'], /^candela: where must be a condition/],
    [2, ['screen', 'demo', '1h', 'true', '--select', 'rsi'], /Expected a name and an expression/],
    [2, ['screen', 'demo', '1h', 'true', '--limit', 'x'], /Expected an integer/],
    [2, ['screen', 'nowhere', '1h', 'true'], /nowhere/],
    [2, ['evaluate', 'demo', 'BTCUSDT', '1h'], /--entry/],
    [1, [...evaluate, 'clsoe > 1'], /Did you mean close/],
    [2, [...evaluate, 'close > 1', '--fee', 'x'], /Expected a share/],
    [2, [...evaluate, 'close > 1', '--horizons', '1,x'], /Expected integers/],
    [1, ['alerts', 'create', 'demo', 'BTCUSDT', '1h', 'rsi(14)'], /an alert needs a condition/],
    [2, ['alerts', 'create', 'demo', 'BTCUSDT', '1h', 'close > 1', '--on', 'open'], /Allowed choices/],
    [2, ['alerts', 'create', 'demo', 'BTCUSDT', '7m', 'close > 1'], /Allowed choices are 1m/],
    [2, ['alerts', 'create', 'demo', 'BTCUSDT', '1h'], /missing required argument 'expression'/],
    [2, ['alerts', 'create', 'demo', '1h', '--quote', 'USDT'], /missing required argument/],
    [
      2,
      ['alerts', 'create', 'demo', 'BTCUSDT', '1h', 'close > 1', '--quote', 'USDT'],
      /give either a symbol, or --symbols or --quote/,
    ],
    [2, ['alerts', 'create', 'demo', '1h', 'close > 1', '--symbols', 'A,,B'], /Expected a symbol/],
    [1, ['lists', 'set', 'a-b', 'BTCUSDT'], /name/],
    [2, ['lists', 'set', 'majors'], /missing required argument 'symbols'/],
    [1, ['lists', 'delete', 'none'], /^candela: List not found: none\. /],
    [1, ['alerts', 'delete', 'alert_x'], /^candela: Alert not found: alert_x\n$/],
  ])('end with status %d and a reason: %j', async (expected, args, reason) => {
    const { status, stdout, stderr } = await candela(...args)
    expect([status, stdout]).toEqual([expected, ''])
    expect(stderr).toMatch(reason)
  })
})

describe('candela evaluate', () => {
  it('prints the statistics of the service, with their warnings', async () => {
    const request = {
      ...{ exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h' },
      ...{ entry: 'rsi(14) < 35', exit: 'rsi(14) > 55', fee: 0.001, horizons: [2, 9] },
    }
    const answer = await post('/evaluate', request)
    const args = ['evaluate', 'demo', 'BTCUSDT', '1h', '--entry', request.entry, '--exit', request.exit]
    const more = ['--fee', '0.001', '--horizons', '2,9', '--url', service.url]
    const { status, stdout, stderr } = await candela(...args, ...more)
    expect(status).toBe(0)
    // The clock of the service stands still in 2023.
    const [age, ...warnings] = stderr.split(/(?<=\n)/)
    expect(age).toMatch(/^candela: the last candle ended \d+ days ago\n$/)
    expect(warnings).toEqual(answer.warnings.map((text: string) => `candela: ${text}\n`))
    expect(stdout).toContain(String(answer.fired))
    const json = await candela(...args, ...more, '--json')
    expect(JSON.parse(json.stdout)).toEqual(answer)
  })
})

describe('candela alerts', () => {
  const create = ['alerts', 'create', 'demo', 'BTCUSDT', '1m', 'close > 0']

  it('makes, lists, pauses, resumes and deletes alerts of the key', async () => {
    const made = await candela(
      ...create,
      '--webhook',
      receiver.url,
      '--name',
      'up',
      '--trigger',
      'level',
      '--json',
    )
    expect([made.status, made.stderr]).toEqual([0, ''])
    const { secret, ...alert } = JSON.parse(made.stdout)
    expect(secret).toMatch(/^whsec_/)
    expect(alert).toMatchObject({ name: 'up', on: 'close', trigger: 'level', webhook: receiver.url })
    const list = async () => JSON.parse((await candela('alerts', 'list', '--json')).stdout)
    expect(await list()).toEqual([alert])
    const paused = await candela('alerts', 'pause', alert.id)
    expect(paused.stdout).toMatch(/level.*paused/)
    expect(await list()).toEqual([{ ...alert, paused: true }])
    expect((await candela('alerts', 'resume', alert.id)).stdout).toMatch(/active/)
    const table = (await candela('alerts', 'list')).stdout.split('\n')
    expect(table[0]?.split(/\s{2,}/)).toEqual([
      'ID',
      'NAME',
      'MARKET',
      'EXPRESSION',
      'ON',
      'TRIGGER',
      'TO',
      'STATE',
    ])
    expect(table[1]).toContain(`${alert.id}  up`)
    expect((await candela('alerts', 'delete', alert.id)).status).toBe(0)
    expect(await candela('alerts', 'list')).toEqual({ status: 0, stdout: '', stderr: 'No alerts.\n' })
  })

  it('makes alerts over several markets', async () => {
    const over = (...options: readonly string[]) =>
      candela('alerts', 'create', 'demo', '1m', 'close > 1e9', ...options)
    const made = await over('--symbols', 'eth/usdt,BTCUSDT')
    expect([made.status, made.stderr]).toEqual([0, ''])
    expect(made.stdout).toMatch(/demo BTCUSDT,ETHUSDT 1m {2}close > 1e9/)
    const all = JSON.parse((await over('--quote', 'USDT', '--json')).stdout)
    expect(all).toMatchObject({ quote: 'USDT', symbols: expect.arrayContaining(['BTCUSDT', 'ETHUSDT']) })
    const { stdout } = await candela('alerts', 'list')
    expect(stdout).toContain(`demo *USDT (${all.symbols.length}) 1m`)
    for (const { id } of JSON.parse((await candela('alerts', 'list', '--json')).stdout))
      expect((await candela('alerts', 'delete', id)).status).toBe(0)
  })

  it('shows the secret of a webhook once, and none without a webhook', async () => {
    const made = await candela(...create, '--webhook', receiver.url)
    expect(made.stdout).toMatch(/\nwhsec_\S+\n$/)
    expect(made.stderr).toContain('cannot be shown again')
    const without = await candela(...create)
    expect(without.stdout).not.toContain('whsec')
    for (const { id } of JSON.parse((await candela('alerts', 'list', '--json')).stdout))
      await candela('alerts', 'delete', id)
  })

  it('lists what could not be delivered', async () => {
    expect((await candela('alerts', 'dead-letters')).stderr).toBe('No dead letters.\n')
    receiver.status = 500
    const made = await candela(...create, '--webhook', receiver.url, '--trigger', 'level', '--json')
    const { id } = JSON.parse(made.stdout)
    const letters = async () => JSON.parse((await candela('alerts', 'dead-letters', '--json')).stdout)
    await expect
      .poll(
        async () => {
          service.pass(60)
          return (await letters()).length
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(0)
    const [letter] = await letters()
    expect(letter).toMatchObject({ alert: id, reason: 'the webhook answered with status 500' })
    expect((await candela('alerts', 'dead-letters')).stdout).toMatch(/REASON\n.*status 500\n/)
    await candela('alerts', 'delete', id)
  })
})

describe('candela lists', () => {
  it('stores, lists and deletes lists of the key, which screens take', async () => {
    const made = await candela('lists', 'set', 'Majors', 'BTC/USDT,ETHUSDT', 'binance:BNBUSDT', '--json')
    const list = { name: 'majors', symbols: ['BTCUSDT', 'ETHUSDT', 'binance:BNBUSDT'] }
    expect([made.status, JSON.parse(made.stdout)]).toEqual([0, list])
    expect(JSON.parse((await candela('lists', 'list', '--json')).stdout)).toEqual([list])
    const many = Array.from({ length: 30 }, (_, k) => `S${k}USDT`)
    await candela('lists', 'set', 'all', ...many)
    const rows = (await candela('lists', 'list')).stdout.split('\n').map(line => line.split(/ {2,}/))
    expect(rows.slice(0, 3)).toEqual([
      ['NAME', 'COUNT', 'SYMBOLS'],
      ['all', '30', expect.stringMatching(/^S0USDT,S1USDT.*…$/)],
      ['majors', '3', 'BTCUSDT,ETHUSDT,binance:BNBUSDT'],
    ])
    const screen = await candela(
      'screen',
      'demo',
      '1h',
      'close > 0',
      '--symbols',
      'list:majors,SOLUSDT',
      '--json',
    )
    expect(JSON.parse(screen.stdout)).toMatchObject({ screened: 3 })
    for (const name of ['all', 'MAJORS']) expect((await candela('lists', 'delete', name)).status).toBe(0)
    expect(await candela('lists', 'list')).toEqual({ status: 0, stdout: '', stderr: 'No lists.\n' })
  })
})

describe('candela expression check', () => {
  it('says what the service says, without it', async () => {
    const expression = 'rsi(14) < 30 and close > sma(50)'
    const { cost: _, ...known } = await post('/expression/check', { expression, timeframe: '1h' })
    const json = await candela('expression', 'check', expression, '--timeframe', '1h', '--json')
    expect(JSON.parse(json.stdout)).toEqual(known)
    const { status, stdout } = await candela('expression', 'check', expression)
    expect(status).toBe(0)
    expect(stdout).toContain(`4 settled digits: after ${known.settled4} candles`)
    const { cost, ...bricks } = await post('/expression/check', { expression, chart: 'renko:50' })
    const checked = await candela('expression', 'check', expression, '--chart', 'renko:50', '--json')
    expect(JSON.parse(checked.stdout)).toEqual(bricks)
    const never = await candela('expression', 'check', 'obv > 0')
    expect(never.stdout).toContain('never, because of obv')
  })
})

describe('candela compute --expression', () => {
  const candles = Array.from({ length: 3000 }, (_, at) => {
    const close = 100 + ((at * at) % 31) / 7
    return { timestamp: 1_700_006_400 + 3600 * at, open: 100, high: 120, low: 90, close, volume: at % 13 }
  })
  const expression = 'sma(close, 3) > 102 and volume > sma(volume, 5)@4h'
  const number = 'ema(close, 9) - close'
  let path: string
  beforeAll(() => {
    path = join(directory, 'candles.csv')
    const lines = candles.map(each => Object.values(each).join(','))
    writeFileSync(path, ['timestamp,open,high,low,close,volume', ...lines].join('\n'))
  })

  it.each([expression, number])('writes the values of POST /expression: %s', async text => {
    const newest = candles.slice(-500)
    const answer = await post('/expression', { expression: text, results: 'max', candles: newest })
    const short = join(directory, 'short.ndjson')
    writeFileSync(short, newest.map(each => JSON.stringify(each)).join('\n'))
    const json = await candela('compute', '--expression', text, short, '--json')
    expect([json.status, json.stderr]).toEqual([0, ''])
    expect(JSON.parse(json.stdout)).toEqual(answer)
    // Longer than a block.
    const csv = await candela('compute', path, '--expression', text)
    expect([csv.status, csv.stderr]).toEqual([0, ''])
    const [head, ...rows] = csv.stdout.trimEnd().split('\n')
    expect(head).toMatch(/value$/)
    expect(rows).toHaveLength(3000)
    const values = rows.slice(-100).map(row => row.split(',').at(-1))
    if (text === expression) expect(values).toEqual(answer.value.slice(-100).map(String))
    else expect(Number(values.at(-1))).toBeCloseTo(answer.value.at(-1), 9)
  })

  it.each([
    [1, ['--expression', 'clsoe > 1'], /Did you mean close/],
    [1, ['--expression', 'ema(500) > 1', '--input', 'csv'], /Not enough candles/],
    [2, ['--expression', 'close', '--all'], /either --all or --expression/],
    [2, [], /'indicator', --expression or --all/],
  ])('ends with status %d and a reason: %j', async (expected, args, reason) => {
    const empty = join(directory, 'two.csv')
    writeFileSync(empty, 'timestamp,open,high,low,close,volume\n1704067200,1,1,1,1,1\n1704067260,1,1,1,1,1')
    const { status, stderr } = await candela('compute', ...args, ...(args.length > 0 ? [empty] : []))
    expect(status).toBe(expected)
    expect(stderr).toMatch(reason)
  })
})

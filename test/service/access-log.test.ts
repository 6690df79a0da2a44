import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { Candela, CandelaProcess } from '../support/service-process.js'

let candela: CandelaProcess
let directory: string
const at = (name: string) => join(directory, name)
const linesOf = (name: string) =>
  readFileSync(at(name), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map(text => JSON.parse(text))

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'candela-access-'))
  candela = await CandelaProcess.start({ ACCESS_LOG: at('access.log'), UDF_DATAFEED: 'true' })
})
afterAll(async () => {
  await candela.stop()
  rmSync(directory, { recursive: true, force: true })
})

const market = 'exchange=demo&symbol=BTCUSDT&timeframe=1h'

it('has one line for each request, with what its client saw, and never a key', async () => {
  const named = await candela.cli('keys', 'create', '--plan', 'pro', '--name', 'ann')
  const bearer = { authorization: `Bearer ${named}` }
  const bulk = {
    constructs: [
      {
        id: 'a',
        exchange: 'demo',
        symbol: 'BTCUSDT',
        timeframe: '1h',
        indicators: [{ id: 'r', indicator: 'rsi' }],
      },
    ],
  }
  const asked: readonly [
    method: string,
    path: string,
    route: string,
    account: string,
    headers: Record<string, string>,
    body?: string,
  ][] = [
    ['GET', `/candles?${market}`, '/candles', 'ann', { ...bearer, 'x-request-id': 'mine-1' }],
    ['HEAD', `/indicator/rsi?${market}`, '/indicator/{name}', 'ann', bearer],
    [
      'POST',
      '/bulk',
      '/bulk',
      'ann',
      { ...bearer, 'content-type': 'application/json' },
      JSON.stringify(bulk),
    ],
    ['GET', '/candles', '/candles', '', { authorization: 'Bearer cnd_wrong' }],
    ['GET', '/nothing/here', 'other', '', bearer],
    [
      'GET',
      `/udf/history?symbol=demo:BTCUSDT&resolution=60&to=1800000000&from=0&key=${named}`,
      '/udf/',
      'ann',
      {},
    ],
    [
      'GET',
      `/taapi-v1/rsi?secret=${named}&exchange=demo&symbol=BTC/USDT&interval=1h`,
      '/taapi-v1/',
      'ann',
      {},
    ],
  ]
  const expected: object[] = []
  for (const [method, path, route, account, headers, body] of asked) {
    const reply = await fetch(candela.url + path, { method, headers, ...(body !== undefined && { body }) })
    const bytes = (await reply.arrayBuffer()).byteLength
    const id = reply.headers.get('x-request-id')
    expected.push({
      ...{ method, route, account, status: reply.status, bytes, ...(id && { id }) },
      ...{ time: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/), ms: expect.any(Number) },
    })
  }
  await vi.waitFor(() => expect(linesOf('access.log').length).toBe(asked.length), { timeout: 5000 })
  expect(linesOf('access.log')).toEqual(expected)
  expect(expected).toContainEqual(expect.objectContaining({ id: 'mine-1', status: 200 }))
  const text = readFileSync(at('access.log'), 'utf8')
  for (const key of [named, candela.key]) expect(text).not.toContain(key.slice(0, 12))
})

it('goes on in a new file after the old one was renamed and the service got SIGHUP', async () => {
  renameSync(at('access.log'), at('access.log.1'))
  const before = linesOf('access.log.1').length
  candela.child.kill('SIGHUP')
  await vi.waitFor(() => expect(linesOf('access.log')).toEqual([]), { timeout: 5000 })
  await candela.get(`/candles?${market}`)
  await vi.waitFor(() => expect(linesOf('access.log')).toHaveLength(1), { timeout: 5000 })
  expect(linesOf('access.log.1')).toHaveLength(before)
})

it('refuses to start where the file cannot be opened', () => {
  const missing = at('missing/access.log')
  return expect(Candela.start({ ACCESS_LOG: missing })).rejects.toThrow(
    `Cannot open the access log "${missing}"`,
  )
})

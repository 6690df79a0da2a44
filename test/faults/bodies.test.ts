import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { columnFromArray, nullType, tableFromColumns, tableToIPC } from '@uwdata/flechette'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { maxHoldMs, reportFigure, rounded } from '../support/figure.js'
import { RawClient } from '../support/raw-client.js'
import { WatchedService } from '../support/watched-service.js'

// Effects of one request body, or of many unfinished ones, on other clients, measured on a service in a process of its own.

vi.setConfig({ testTimeout: 300_000 })

let service: WatchedService
let port: number
let attacker: string
let other: string
beforeAll(async () => {
  // One thread, so that others wait for a body that holds it.
  service = await WatchedService.start({ POOL_THREADS: '1' })
  port = Number(new URL(service.candela.url).port)
  ;[attacker, other] = (await service.createKeys(2)) as [string, string]
  // The thread starts, and the readers of tables are loaded.
  await send('csv', Buffer.from(`time,open,high,low,close\n${'1600000000,1,3,1,2\n'.repeat(20_000)}`)).status
  await bulk()
})
afterAll(() => service.stop())
beforeEach(() => service.take())

const types = { csv: 'text/csv', arrow: 'application/vnd.apache.arrow.stream' } as const

/** Sends a table as the attacker. */
function send(format: keyof typeof types, body: Uint8Array) {
  const headers = { authorization: `Bearer ${attacker}`, 'content-type': types[format] }
  const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/indicator/rsi', headers })
  sent.on('error', () => {})
  sent.end(body)
  const status = once(sent, 'response').then(([response]) => {
    response.resume()
    return response.statusCode as number
  })
  return { status, leave: () => sent.destroy() }
}

let periods = 100
/** A bulk request of the other client that a thread computes: whether it is answered. */
async function bulk(): Promise<number> {
  const indicators = Array.from({ length: 20 }, (_, k) => ({
    id: `i${k}`,
    indicator: 'sampleentropy',
    period: 100 + (periods++ % 300),
  }))
  const constructs = [{ id: 'c', exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1h', indicators }]
  const headers = { authorization: `Bearer ${other}` }
  return (await service.candela.post('/bulk', JSON.stringify({ constructs }), headers)).status
}

/** Arrow stream that announces `rows` rows, in columns without bytes. */
function nullColumns(rows: number): Buffer {
  const names = ['time', 'open', 'high', 'low', 'close', 'volume']
  const table = tableFromColumns(names.map(name => [name, columnFromArray([null, null, null], nullType())]))
  const bytes = Buffer.from(tableToIPC(table, { format: 'stream' }) as Uint8Array)
  for (let at = 0; at + 8 <= bytes.length; at += 8)
    if (bytes.readBigInt64LE(at) === 3n) bytes.writeBigInt64LE(BigInt(rows), at)
  return bytes
}

it('one body, whatever it announces, holds neither the event loop nor a thread', async context => {
  const line = '1600000000,1,3,1,2\n'
  const csv = [
    ','.repeat(65_000),
    `time,open,high,low,close\n${'1\n'.repeat(32_000)}`,
    `symbol,time,open,high,low,close${',volz'.repeat(6000)}\n${'A'.repeat(30_000)},1,1,1,1,1\n`,
    `symbol,time,open,high,low,close${',volz'.repeat(100_000)}\n${'A'.repeat(500_000)},1,1,1,1,1\n`,
    `time,open,high,low,close,with\n${Array.from({ length: 99_000 }, (_, k) => `${1_600_000_000 + 60 * k},1,3,1,2,M${k}\n`).join('')}`,
    `time,open,high,low,close\n${line.repeat(800_000)}`,
  ].map(text => send('csv', Buffer.from(text)))
  // A message of a negative length, which other readers of Arrow read forever.
  const arrow = [Buffer.of(0xfc, 0xff, 0xff, 0xff), nullColumns(1e7), nullColumns(1e9)].map(body =>
    send('arrow', body),
  )
  const statuses = await Promise.all([...csv, ...arrow].map(({ status }) => status))
  const { held, peak } = await service.take()
  reportFigure(
    context,
    `${statuses.length} hostile tables: loop held ${rounded(held)} ms, memory at most ${rounded(peak)} MiB`,
  )
  expect([...new Set(statuses)]).toEqual([400])
  expect(held).toBeLessThan(maxHoldMs)
})

it('a thread is free when the clients of long tables have left', async context => {
  const text = `time,open,high,low,close\n${Array.from({ length: 90_000 }, (_, k) => `${1_600_000_000 + 60 * k},${'1'.repeat(40)},${'3'.repeat(40)},${'1'.repeat(40)},${'2'.repeat(40)}\n`).join('')}`
  const body = Buffer.from(text)
  const left = Array.from({ length: 4 }, () => send('csv', body))
  // Their bodies have arrived, and the first one is being read.
  await sleep(500)
  for (const { status, leave } of left) {
    leave()
    status.catch(() => {})
  }
  expect(await bulk()).toBe(200)
  const { held } = await service.take()
  reportFigure(
    context,
    `4 tables of ${rounded(body.length / 2 ** 20)} MiB that nobody waits for: loop held ${rounded(held)} ms`,
  )
})

it('bodies that are never complete take bounded memory, and those of others are answered', {
  tags: ['faults'],
}, async context => {
  const { resident } = await service.memory()
  const length = 16_700_000
  const head = `POST /indicator/rsi HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${attacker}\r\nContent-Type: text/csv\r\nContent-Length: ${length}\r\n\r\n`
  const clients = await Promise.all(Array.from({ length: 60 }, () => RawClient.open(port)))
  // All requests but the newest are answered with 503, and the service reads the rest of their bodies.
  for (const client of clients) await client.write(head + 'x'.repeat(3_000_000))
  expect(await bulk()).toBe(200)
  const refused = () => clients.filter(({ text }) => text.startsWith('HTTP/1.1 503 ')).length
  await expect.poll(refused, { timeout: 10_000 }).toBeGreaterThan(50)
  const { held, peak } = await service.take()
  reportFigure(
    context,
    `60 unfinished bodies: ${refused()} refused; memory ${rounded(resident)} to ${rounded(peak)} MiB; loop held ${rounded(held)} ms`,
  )
  expect(peak - resident).toBeLessThan(256)
  for (const client of clients) await client.close()
})

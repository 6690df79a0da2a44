import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'

interface Target {
  readonly port: number
  /** A key with a plan like any other. */
  readonly key: string
}

/** Bytes of the longest body that the service accepts. */
const maxBodyBytes = 4 * 1024 * 1024

/** A body of short unknown fields, as long as a body may be. */
function manyFields(): Buffer {
  const fields: string[] = []
  let length = 0
  for (let i = 0; length < maxBodyBytes - 400; i++) {
    const field = `"${i.toString(36)}z":1`
    fields.push(field)
    length += field.length + 1
  }
  const construct = '{"id":"a","exchange":"demo","symbol":"BTCUSDT","timeframe":"1h","indicators":'
  return Buffer.from(`{"constructs":[${construct}[{"id":"x","indicator":"rsi",${fields.join(',')}}]}]}`)
}

/** Sends the longest bodies, full of unknown fields. */
async function sendLongBodies({ port, key }: Target, isOver: () => boolean): Promise<void> {
  const body = manyFields()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const paths = ['/bulk', '/bulk-candles', '/indicator/rsi']
  for (let i = 0; !isOver(); i++) {
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path: paths[i % paths.length], headers })
    sent.on('error', () => {})
    sent.on('response', response => response.resume())
    const closed = once(sent, 'close')
    sent.end(body)
    await Promise.race([closed, sleep(3_000)])
    sent.destroy()
    await sleep(500)
  }
}

/** Opens streaming connections without a key, a few hundred at a time, and never sends one. */
async function occupyStreaming({ port }: Target, isOver: () => boolean): Promise<void> {
  const open: WebSocket[] = []
  while (!isOver()) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/streaming`)
    socket.on('error', () => {})
    open.push(socket)
    if (open.length > 300) open.shift()?.terminate()
    await sleep(5)
  }
  for (const socket of open) socket.terminate()
}

/** Subscribes, waits for the first value and unsubscribes, one market after the other. */
async function collectValues({ port, key }: Target, isOver: () => boolean): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/streaming`)
  socket.on('error', () => {})
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'auth', token: `Bearer ${key}` }))
  for (let i = 0; !isOver() && socket.readyState === WebSocket.OPEN; i++) {
    const market = { exchange: 'demo', symbol: i % 2 === 0 ? 'BTCUSDT' : 'ETHUSDT', interval: '1m' }
    const params = { period: 2 + (i % 300) }
    socket.send(JSON.stringify({ type: 'subscribe', id: 'a', ...market, indicator: 'rsi', params }))
    await Promise.race([once(socket, 'message'), sleep(100)])
    socket.send(JSON.stringify({ type: 'unsubscribe', id: `demo_${market.symbol}_1m_a` }))
    await sleep(25)
  }
  socket.terminate()
}

/** Sends garbage, and requests that never end. */
async function sendGarbage({ port }: Target, isOver: () => boolean): Promise<void> {
  const texts = [
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'GET / HTTP/1.1\r\nHost: x\r\nX: ',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`,
    'POST /bulk HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n{',
  ]
  for (let i = 0; !isOver(); i++) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(texts[i % texts.length] as string, 'latin1')
    setTimeout(() => socket.destroy(), 1_000)
    await sleep(20)
  }
}

/** Clients that try to keep others from being served; resolves when they have ended after `ms` milliseconds. */
export async function runHostileClients(target: Target, ms: number): Promise<void> {
  const end = performance.now() + ms
  const isOver = () => performance.now() >= end
  const clients = [sendLongBodies, occupyStreaming, collectValues, sendGarbage]
  await Promise.all(clients.map(client => client(target, isOver)))
}

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// Many streaming clients in one process, started with an IPC channel: raw sockets and the least of WebSocket that hears
// what a server says. A client library for each would cost more than the server that is measured.

/** What the crowd is asked to do, and what it answers. */
export type Order =
  /** Connect `count` clients; each says `messages` and has arrived when it has heard `greetings` messages. */
  | {
      readonly do: 'gather'
      readonly port: number
      readonly messages: readonly string[][]
      readonly greetings: number
    }
  /** From now on count what is heard, a round being one message for every client. */
  | { readonly do: 'listen' }
  /** Tell when so many messages were heard since `listen`, or after some seconds how many there were. */
  | { readonly do: 'report'; readonly heard: number; readonly seconds: number }
  | { readonly do: 'leave' }
export interface Report {
  readonly heard: number
  /** What each client has heard: the least and the most. */
  readonly least: number
  readonly most: number
  /** When the last message of each round arrived, in nanoseconds of the system's monotonic clock. */
  readonly rounds: readonly string[]
}

interface Client {
  readonly socket: Socket
  /** What it says as soon as it may. */
  readonly messages: Buffer
  isUpgraded: boolean
  greeted: number
  heard: number
  /** The beginning of a frame whose end has not arrived. */
  rest: Buffer | undefined
}

const mask = Buffer.from([1, 2, 3, 4])
const together = 200

/** A text as a client's frame. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text)
  for (let i = 0; i < payload.length; i++) payload[i] = (payload[i] as number) ^ (mask[i & 3] as number)
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255])
  return Buffer.concat([head, mask, payload])
}
const handshake =
  'GET /streaming HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n'
const pong = Buffer.from([0x8a, 0x80, 1, 2, 3, 4])

const clients: Client[] = []
let isListening = false
let heard = 0
let rounds: string[] = []
let lost = 0

/** Takes in what the server wrote; answers how many texts were in it. */
function take(client: Client, chunk: Buffer): number {
  let bytes = client.rest ? Buffer.concat([client.rest, chunk]) : chunk
  client.rest = undefined
  if (!client.isUpgraded) {
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) {
      client.rest = bytes
      return 0
    }
    client.isUpgraded = true
    client.socket.write(client.messages)
    bytes = bytes.subarray(end + 4)
  }
  let texts = 0
  let at = 0
  while (at + 2 <= bytes.length) {
    const short = (bytes[at + 1] as number) & 127
    const head = short < 126 ? 2 : short === 126 ? 4 : 10
    if (at + head > bytes.length) break
    const length =
      short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
    if (at + head + length > bytes.length) break
    const code = (bytes[at] as number) & 15
    if (code === 1) texts++
    else if (code === 9) client.socket.write(pong)
    at += head + length
  }
  if (at < bytes.length) client.rest = bytes.subarray(at)
  return texts
}

function hear(client: Client, chunk: Buffer): void {
  const texts = take(client, chunk)
  if (!isListening) {
    client.greeted += texts
    return
  }
  client.heard += texts
  const before = Math.floor(heard / clients.length)
  heard += texts
  if (Math.floor(heard / clients.length) > before) rounds.push(String(process.hrtime.bigint()))
}

async function gather({ port, messages, greetings }: Extract<Order, { do: 'gather' }>): Promise<void> {
  for (let from = 0; from < messages.length; from += together) {
    const fresh = messages.slice(from, from + together).map(own => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(handshake)
      })
      const messages = Buffer.concat(own.map(frame))
      const client: Client = { socket, messages, isUpgraded: false, greeted: 0, heard: 0, rest: undefined }
      socket.setNoDelay(true)
      socket.on('data', chunk => hear(client, chunk))
      socket.on('error', () => {})
      socket.on('close', () => lost++)
      clients.push(client)
      return client
    })
    while (fresh.some(({ greeted }) => greeted < greetings)) {
      if (lost > 0) throw new Error(`${lost} clients were sent away`)
      await sleep(2)
    }
  }
}

async function report(wanted: number, seconds: number): Promise<Report> {
  const end = performance.now() + seconds * 1000
  while (heard < wanted && performance.now() < end) await sleep(5)
  const each = clients.map(client => client.heard)
  return {
    heard,
    least: each.reduce((least, own) => Math.min(least, own), Number.POSITIVE_INFINITY),
    most: each.reduce((most, own) => Math.max(most, own), 0),
    rounds,
  }
}

process.on('message', async (order: Order) => {
  if (order.do === 'gather') await gather(order)
  if (order.do === 'listen') {
    heard = 0
    rounds = []
    for (const client of clients) client.heard = 0
    isListening = true
  }
  if (order.do === 'leave') {
    isListening = false
    for (const { socket } of clients.splice(0)) socket.removeAllListeners('close').resetAndDestroy()
    await sleep(200)
  }
  process.send?.(order.do === 'report' ? await report(order.heard, order.seconds) : {})
})

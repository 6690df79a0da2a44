import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// Many streaming clients in one process, started with an IPC channel: raw sockets with just enough of WebSocket to count the
// messages of a server. A client library for each would cost more than the measured server.

export type SubscribersMessage =
  /**
   * Connects a client for each list of `messages`, sends it, and waits until each client has received
   * `repliesPerClient` messages.
   */
  | {
      readonly command: 'connect'
      readonly port: number
      readonly messages: readonly (readonly string[])[]
      readonly repliesPerClient: number
    }
  /** Starts to count messages; a round is one message for every client. */
  | { readonly command: 'count' }
  /** Waits until the given number of messages was counted, at most `maxSeconds`. */
  | { readonly command: 'report'; readonly messages: number; readonly maxSeconds: number }
export interface Received {
  readonly messages: number
  /** The fewest and the most messages that one client received. */
  readonly min: number
  readonly max: number
  /** Arrival of the last message of each round, in nanoseconds of the system's monotonic clock. */
  readonly roundEnds: readonly string[]
}

interface Subscriber {
  readonly socket: Socket
  /** The frames that are sent after the upgrade. */
  readonly frames: Buffer
  isUpgraded: boolean
  /** Messages received before and after counting began. */
  replies: number
  counted: number
  /** The beginning of a frame whose end has not arrived. */
  incomplete: Buffer | undefined
}

const mask = Buffer.from([1, 2, 3, 4])
const connectedAtOnce = 200
const handshake =
  'GET /streaming HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n'
const opcodes = { text: 1, ping: 9 } as const
const pong = Buffer.from([0x8a, 0x80, ...mask])

const subscribers: Subscriber[] = []
let isCounting = false
let counted = 0
let roundEnds: string[] = []
let lost = 0

/** A text as a frame of a client. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text)
  for (let i = 0; i < payload.length; i++) payload[i] = (payload[i] as number) ^ (mask[i & 3] as number)
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255])
  return Buffer.concat([head, mask, payload])
}

/** Reads the bytes that the server wrote; returns the number of texts that ended in them. */
function read(subscriber: Subscriber, chunk: Buffer): number {
  let bytes = subscriber.incomplete ? Buffer.concat([subscriber.incomplete, chunk]) : chunk
  subscriber.incomplete = undefined
  if (!subscriber.isUpgraded) {
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) {
      subscriber.incomplete = bytes
      return 0
    }
    subscriber.isUpgraded = true
    subscriber.socket.write(subscriber.frames)
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
    const opcode = (bytes[at] as number) & 15
    if (opcode === opcodes.text) texts++
    else if (opcode === opcodes.ping) subscriber.socket.write(pong)
    at += head + length
  }
  if (at < bytes.length) subscriber.incomplete = bytes.subarray(at)
  return texts
}

function onChunk(subscriber: Subscriber, chunk: Buffer): void {
  const texts = read(subscriber, chunk)
  if (!isCounting) {
    subscriber.replies += texts
    return
  }
  subscriber.counted += texts
  const before = Math.floor(counted / subscribers.length)
  counted += texts
  if (Math.floor(counted / subscribers.length) > before) roundEnds.push(String(process.hrtime.bigint()))
}

function open(port: number, messages: readonly string[]): Subscriber {
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(handshake)
  })
  const subscriber: Subscriber = {
    socket,
    frames: Buffer.concat(messages.map(frameOf)),
    isUpgraded: false,
    replies: 0,
    counted: 0,
    incomplete: undefined,
  }
  socket.setNoDelay(true)
  socket.on('data', chunk => onChunk(subscriber, chunk))
  socket.on('error', () => {})
  socket.on('close', () => lost++)
  return subscriber
}

async function connectAll({
  port,
  messages,
  repliesPerClient,
}: Extract<SubscribersMessage, { command: 'connect' }>) {
  for (let from = 0; from < messages.length; from += connectedAtOnce) {
    const added = messages.slice(from, from + connectedAtOnce).map(own => open(port, own))
    subscribers.push(...added)
    while (added.some(({ replies }) => replies < repliesPerClient)) {
      if (lost > 0) throw new Error(`the server closed ${lost} connections`)
      await sleep(2)
    }
  }
}

function startCounting(): void {
  counted = 0
  roundEnds = []
  for (const subscriber of subscribers) subscriber.counted = 0
  isCounting = true
}

async function report(expected: number, maxSeconds: number): Promise<Received> {
  const end = performance.now() + maxSeconds * 1000
  while (counted < expected && performance.now() < end) await sleep(5)
  let min = Number.POSITIVE_INFINITY
  let max = 0
  for (const subscriber of subscribers) {
    min = Math.min(min, subscriber.counted)
    max = Math.max(max, subscriber.counted)
  }
  return { messages: counted, min, max, roundEnds }
}

process.on('message', async (message: SubscribersMessage) => {
  if (message.command === 'connect') await connectAll(message)
  if (message.command === 'count') startCounting()
  process.send?.(message.command === 'report' ? await report(message.messages, message.maxSeconds) : {})
})

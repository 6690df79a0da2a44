import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import WebSocket from 'ws'
import { createFuzzMessages } from '../../bench/fuzz-messages.js'
import type { Draw } from './draw.js'
import type { FuzzRequest } from './requests.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Timeout of a raw socket, in ms. An incomplete request may never be answered. */
const rawWaitMs = 100

export interface FuzzReply {
  readonly status: number
  readonly body: string
}

/** Sends requests over kept connections, so that state which a request leaves behind on a connection is found. */
export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 24 })

  constructor(readonly url: string) {}

  send({ method, path, headers, body }: FuzzRequest, isRepeated = false): Promise<FuzzReply> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(this.url)
      const agent = isRepeated ? false : this.#agent
      const sent = request({ hostname, port, method, path, headers, agent }, response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        )
        response.on('error', reject)
      })
      sent.on('error', error => {
        // The service may close an idle connection in the moment in which it is used again (RFC 9112, section 9.5). A new
        // connection is not idle.
        if (sent.reusedSocket && !isRepeated)
          resolve(this.send({ method, path, headers, ...(body && { body }) }, true))
        else reject(error)
      })
      sent.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Writes bytes in pieces cut anywhere. Returns the service's answer, which is empty for an incomplete request. */
export async function sendRaw(url: string, bytes: Buffer, draw: Draw): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  const ended = new Promise<void>(resolve => {
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
      resolve()
    })
  })
  await Promise.race([once(socket, 'connect').catch(() => undefined), ended])
  socket.setNoDelay(true)
  for (let at = 0; at < bytes.length && socket.writable; ) {
    const end = at + 1 + draw.below(draw.pick([2, 40, 2_000, bytes.length]))
    // The bytes of most pieces arrive one by one only when the event loop turns between them.
    socket.write(bytes.subarray(at, end))
    at = end
    if (draw.chance(0.2)) await new Promise(resolve => setImmediate(resolve))
  }
  await Promise.race([ended, sleep(rawWaitMs)])
  socket.destroy()
  return text
}

const messageTypes = [
  ...['auth_ok', 'auth_error', 'update', 'subscriptions', 'error'],
  ...['alerts_ok', 'screen_pending', 'screen_ok', 'screen_update'],
]

/** Opens a streaming connection and sends messages of every kind. Returns the fault of a message of the service. */
export async function stream(
  url: string,
  key: string,
  indicators: readonly string[],
  draw: Draw,
): Promise<string | undefined> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/streaming`)
  let fault: string | undefined
  let refusal: number | undefined
  socket.on('unexpected-response', (sent, { statusCode }) => {
    refusal = statusCode
    sent.destroy()
  })
  socket.on('error', () => {})
  socket.on('message', data => {
    const text = data.toString()
    try {
      const { type, error } = JSON.parse(text)
      if (!messageTypes.includes(type)) fault ??= `an unknown message: ${text.slice(0, 200)}`
      if (type === 'error' && error === 'Internal error') fault ??= 'an internal error'
    } catch {
      fault ??= `a message that is not JSON: ${text.slice(0, 200)}`
    }
  })
  const closed = once(socket, 'close')
  await Promise.race([once(socket, 'open').catch(() => undefined), closed])
  if (socket.readyState !== WebSocket.OPEN)
    return refusal === 503 ? undefined : `the connection is refused with ${refusal}`
  const next = createFuzzMessages(draw.number, indicators)
  if (draw.chance(0.9)) socket.send(JSON.stringify({ type: 'auth', token: `Bearer ${key}` }))
  for (let i = draw.below(40); i >= 0 && socket.readyState === WebSocket.OPEN; i--) {
    socket.send(next())
    if (draw.chance(0.1)) await sleep(1)
  }
  if (draw.chance(0.3)) socket.terminate()
  else socket.close()
  await closed
  return fault
}

/** Runs a command line; returns why its end is not one for a user. */
export function run(words: readonly string[], dataDirectory: string): Promise<string | undefined> {
  // Some commands write files whose names are drawn.
  const cwd = join(dataDirectory, 'written')
  mkdirSync(cwd, { recursive: true })
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [join(root, 'dist/cli/candela.js'), ...words],
      { cwd, env: { PATH: process.env.PATH, DATA_DIR: dataDirectory }, timeout: 60_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code
        if (![0, 1, 2].includes(code as number)) resolve(`the exit code is ${code}: ${stderr.slice(0, 300)}`)
        else if (/\n {4}at /.test(stdout + stderr)) resolve(`a stack is printed: ${stderr.slice(0, 300)}`)
        else resolve(undefined)
      },
    )
  })
}

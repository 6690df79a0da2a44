import { createHmac } from 'node:crypto'
import type { ClientRequest, request } from 'node:http'
import type { LookupFunction } from 'node:net'
import { isTimeout, withDeadline } from '../runtime/deadline.js'
import { isPrivateHost, PrivateAddress, publicLookup } from './addresses.js'

/** Bytes of a response that are read; its status says all. */
const maxResponseBytes = 64 * 1024
/** Milliseconds that a receiver has for all of a request and its response. */
export const webhookTimeoutMs = 10_000

/** A receiver has not answered in time. */
export class SilentReceiver extends Error {
  constructor(timeoutMs: number, options: ErrorOptions) {
    super(`no response within ${timeoutMs / 1000} s`, options)
  }
}

/** A message of which no request can be made, so that another attempt would fail as well. */
export class UnsendableMessage extends Error {
  constructor(cause: unknown) {
    super(`the message cannot be sent: ${(cause as Error).message}`, { cause })
  }
}

/** A message for a webhook. */
export interface WebhookMessage {
  readonly url: string
  readonly secret: string
  /** The same for each attempt to deliver it. */
  readonly id: string
  readonly body: string
  /** Header fields of its body, by default those of JSON. */
  readonly headers?: Readonly<Record<string, string>>
}

interface Options {
  /** Whether loopback and private addresses are allowed. */
  readonly isPrivateAllowed: boolean
  /** Unix seconds. */
  readonly now: number
  readonly signal: AbortSignal
  /** Milliseconds that the receiver has. */
  readonly timeoutMs?: number
  /** How names are resolved where only public addresses are allowed. */
  readonly lookup?: LookupFunction
}

/**
 * The header fields by which a receiver knows who has sent a message and when.
 * Source: https://github.com/standard-webhooks/standard-webhooks, version 1.0.0.
 */
export function signatureHeaders(
  { id, body, secret }: Pick<WebhookMessage, 'id' | 'body' | 'secret'>,
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'Webhook-Id': id,
    'Webhook-Timestamp': timestamp,
    'Webhook-Signature': `v1,${signature}`,
    'Idempotency-Key': id,
  }
}

/**
 * Sends a message once, without following redirects. Resolves with the status of the response; rejects where there is
 * none in time (SilentReceiver), where the address is not allowed, or where no request can be made (UnsendableMessage).
 */
export function sendWebhook(message: WebhookMessage, options: Options): Promise<number> {
  const { timeoutMs = webhookTimeoutMs } = options
  return withDeadline(timeoutMs, options.signal, signal => post(message, { ...options, timeoutMs, signal }))
}

async function post(message: WebhookMessage, options: Options & { timeoutMs: number }): Promise<number> {
  const { isPrivateAllowed, signal, timeoutMs } = options
  const url = urlOf(message)
  // An address in the URL is not looked up.
  if (!isPrivateAllowed && isPrivateHost(url)) throw new PrivateAddress()
  // Loaded for the first message, because most services send none, and their start would take longer.
  const { request: send } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  const body = Buffer.from(message.body)
  const request = open(send, url, message, body, options)
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(isTimeout(signal.reason) ? new SilentReceiver(timeoutMs, { cause: error }) : error)
    request.on('error', fail)
    request.on('response', response => {
      const done = () => resolve(response.statusCode as number)
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength
        if (bytes <= maxResponseBytes) return
        done()
        request.destroy()
      })
      response.on('end', done)
      response.on('error', fail)
    })
    request.end(body)
  })
}

function urlOf({ url }: WebhookMessage): URL {
  try {
    return new URL(url)
  } catch (cause) {
    throw new UnsendableMessage(cause)
  }
}

function open(
  send: typeof request,
  url: URL,
  message: WebhookMessage,
  body: Buffer,
  { isPrivateAllowed, now, signal, lookup = publicLookup() }: Options,
): ClientRequest {
  try {
    return send(url, {
      method: 'POST',
      // A connection of its own, so that the name is resolved and checked for each attempt.
      agent: false,
      signal,
      headers: {
        ...(message.headers ?? { 'Content-Type': 'application/json' }),
        'Content-Length': body.byteLength,
        'User-Agent': 'Candela',
        ...signatureHeaders(message, now),
      },
      ...(!isPrivateAllowed && { lookup }),
    })
  } catch (cause) {
    throw new UnsendableMessage(cause)
  }
}

import { createHmac } from 'node:crypto'
import { type LookupAddress, lookup } from 'node:dns'
import type { ClientRequest, request } from 'node:http'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { isTimeout, withDeadline } from '../runtime/deadline.js'

/** IPv4 networks that are not of the public Internet. Source: IANA's IPv4 Special-Purpose Address Registry, RFC 6890. */
const special4 = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
  addNetwork(special4, network, 'ipv4')

/** The global unicast addresses of IPv6 (RFC 4291), all others are special. */
const global6 = new BlockList()
addNetwork(global6, '2000::/3', 'ipv6')
/** Networks in it that are special, or lead to an IPv4 address: IETF protocols, documentation and 6to4. */
const special6 = new BlockList()
for (const network of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
  addNetwork(special6, network, 'ipv6')

function addNetwork(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address, bits] = network.split('/') as [string, string]
  list.addSubnet(address, Number(bits), family)
}

/** Whether an IP address is one of the public Internet: not of this machine, a private network or another special one. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special4.check(address, 'ipv4')
  return family === 6 && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

/** A webhook leads to an address that it must not lead to. */
export class PrivateAddress extends Error {
  constructor() {
    super('its address is not a public one')
    this.name = 'PrivateAddress'
  }
}

/** The host of a URL without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Whether a host that a URL names is certainly not a public one, before its name is resolved. */
export function isPrivateHost(url: URL): boolean {
  const host = hostOf(url)
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return /(^|\.)localhost\.?$/i.test(host)
}

type Resolve = (
  host: string,
  options: { readonly all: true; readonly family: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Resolves names for a connection, and fails where any of the addresses is not public: what it answers is what is
 * connected to, so a name cannot lead elsewhere after it was checked.
 */
export const publicLookup =
  (resolve: Resolve = lookup): LookupFunction =>
  (host, { all, family }, callback) => {
    const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : (family ?? 0)
    resolve(host, { all: true, family: wanted }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) callback(error ?? new Error('the name has no address'), '', 0)
      else if (!addresses.every(({ address }) => isPublicAddress(address)))
        callback(new PrivateAddress(), '', 0)
      else if (all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

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

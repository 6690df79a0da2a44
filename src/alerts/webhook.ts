import { createHmac } from 'node:crypto'
import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { isTimeout, withDeadline } from '../runtime/deadline.js'

/** IPv4 networks outside the public Internet. Source: IANA's IPv4 Special-Purpose Address Registry, RFC 6890. */
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

/** Global unicast addresses of IPv6 (RFC 4291). All others are special. */
const global6 = new BlockList()
addNetwork(global6, '2000::/3', 'ipv6')
/** Special networks in `global6`, or networks that lead to an IPv4 address: IETF protocols, documentation and 6to4. */
const special6 = new BlockList()
for (const network of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
  addNetwork(special6, network, 'ipv6')

function addNetwork(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address, bits] = network.split('/') as [string, string]
  list.addSubnet(address, Number(bits), family)
}

/**
 * Whether an IP address is on the public Internet: not on this machine, in a private network or in another special one.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special4.check(address, 'ipv4')
  return family === 6 && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

const privateAddress = (): Error => new Error('its address is not a public one')

/** Whether the host of a URL is certainly not public, without resolving its name. */
export function isPrivateHost({ hostname }: URL): boolean {
  // An IPv6 address has brackets.
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return /(^|\.)localhost\.?$/i.test(host)
}

type Resolve = (
  host: string,
  options: { readonly all: true; readonly family: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Resolves names for a connection, and fails if any address is not public. The connection uses the checked addresses,
 * so a name cannot lead elsewhere after the check.
 */
export const publicLookup =
  (resolve: Resolve = lookup): LookupFunction =>
  (host, { all, family }, callback) => {
    const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : (family ?? 0)
    resolve(host, { all: true, family: wanted }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) callback(error ?? new Error('the name has no address'), '', 0)
      else if (!addresses.every(({ address }) => isPublicAddress(address))) callback(privateAddress(), '', 0)
      else if (all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

/** Maximum number of bytes read of a response. Only its status matters. */
const maxResponseBytes = 64 * 1024
/** Time for a whole request and its response, in milliseconds. */
export const webhookTimeoutMs = 10_000

/** Error for a receiver that has not answered in time. */
export class SilentReceiver extends Error {
  constructor(timeoutMs: number, options: ErrorOptions) {
    super(`no response within ${timeoutMs / 1000} s`, options)
  }
}

/** Error for a message that cannot be sent, so another attempt would fail as well. */
export class UnsendableMessage extends Error {
  constructor(cause: unknown) {
    super(`the message cannot be sent: ${(cause as Error).message}`, { cause })
  }
}

export interface WebhookMessage {
  readonly url: string
  readonly secret: string
  /** Equal for all attempts. */
  readonly id: string
  readonly body: string
  /** Header fields of the body. The default is those of JSON. */
  readonly headers?: Readonly<Record<string, string>>
}

interface Options {
  /** Whether loopback and private addresses are allowed. */
  readonly isPrivateAllowed: boolean
  /** Unix seconds. */
  readonly now: number
  readonly signal: AbortSignal
  readonly timeoutMs?: number
  /** Resolver of names if only public addresses are allowed. */
  readonly lookup?: LookupFunction
}

/**
 * Header fields with which a receiver verifies the sender and the time of a message.
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
 * Sends a message once, without following redirects. Resolves with the status of the response. Rejects after a timeout
 * (SilentReceiver), for a forbidden address, a network error, or a message that cannot be sent (UnsendableMessage).
 */
export function sendWebhook(message: WebhookMessage, options: Options): Promise<number> {
  const { timeoutMs = webhookTimeoutMs } = options
  return withDeadline(timeoutMs, options.signal, signal => post(message, { ...options, timeoutMs, signal }))
}

async function post(message: WebhookMessage, options: Options & { timeoutMs: number }): Promise<number> {
  const { isPrivateAllowed, now, signal, timeoutMs, lookup = publicLookup() } = options
  const url = sendable(() => new URL(message.url))
  // `lookup` is not called for an IP address in the URL.
  if (!isPrivateAllowed && isPrivateHost(url)) throw privateAddress()
  // Loaded for the first message: most services send none, and loading it earlier would slow down their start.
  const { request: send } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  const body = Buffer.from(message.body)
  const headers = {
    ...(message.headers ?? { 'Content-Type': 'application/json' }),
    'Content-Length': body.byteLength,
    'User-Agent': 'Candela',
    ...signatureHeaders(message, now),
  }
  // A new connection per attempt, so that the name is resolved and checked each time.
  const connection = { agent: false, ...(!isPrivateAllowed && { lookup }) }
  const request = sendable(() => send(url, { method: 'POST', signal, headers, ...connection }))
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

function sendable<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (cause) {
    throw new UnsendableMessage(cause)
  }
}

import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toAscii } from '../../../src/alerts/alert.js'
import {
  isPrivateHost,
  isPublicAddress,
  publicLookup,
  sendWebhook,
  signatureHeaders,
} from '../../../src/alerts/webhook.js'
import { type ReceivedMessage, startReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js'

let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startReceiver()
})
beforeEach(() => {
  receiver.status = 200
})
afterAll(() => receiver.close())

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const message = () => ({ url: receiver.url, secret, id: 'alert_x:60', body: '{"type":"alert"}' })
const options = { isPrivateAllowed: true, now: 1_700_000_000, signal: new AbortController().signal }

describe('a webhook', () => {
  test('is signed as the specification of Standard Webhooks signs its example', () => {
    const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}', secret }
    expect(signatureHeaders(example, 1_614_265_330)).toMatchObject({
      'Webhook-Signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('is accepted by a library for Standard Webhooks as it arrives, and by no other key or in another form', async () => {
    const now = Date.now() / 1000
    const texts = fc.string({ unit: 'grapheme' })
    const keys = fc.uint8Array({ minLength: 24, maxLength: 64 })
    const secretOf = (key: Uint8Array) => `whsec_${Buffer.from(key).toString('base64')}`
    const verify = (secret: string, { headers, body }: ReceivedMessage) =>
      new Webhook(secret).verify(body, headers as Record<string, string>)
    await fc.assert(
      fc.asyncProperty(texts, texts, keys, keys, async (symbol, name, key, other) => {
        fc.pre(Buffer.compare(key, other) !== 0)
        const sent = { id: toAscii(`alert_x:${symbol}:60`), body: JSON.stringify({ name, symbol }) }
        await sendWebhook({ url: receiver.url, secret: secretOf(key), ...sent }, { ...options, now })
        const received = receiver.attempts.at(-1) ?? expect.fail('nothing arrived')
        expect(verify(secretOf(key), received)).toEqual({ name, symbol })
        const { headers, body } = received
        for (const [secret, changed] of [
          [secretOf(other), received],
          [secretOf(key), { ...received, body: `${body} ` }],
          [secretOf(key), { ...received, headers: { ...headers, 'webhook-id': 'alert_y:60' } }],
          [
            secretOf(key),
            { ...received, headers: { ...headers, 'webhook-timestamp': String(Math.floor(now) + 1) } },
          ],
        ] as const)
          expect(() => verify(secret, changed)).toThrow('No matching signature found')
      }),
      { numRuns: 50 },
    )
  })

  test('posts JSON with its signature, the time and the idempotency key', async () => {
    expect(await sendWebhook(message(), options)).toBe(200)
    const { headers, body } = receiver.attempts.at(-1) ?? expect.fail('nothing arrived')
    expect(body).toBe(message().body)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'alert_x:60',
      'webhook-id': 'alert_x:60',
      'webhook-timestamp': '1700000000',
      'webhook-signature': signatureHeaders(message(), 1_700_000_000)['Webhook-Signature'],
    })
  })

  test('does not follow redirects', async () => {
    receiver.status = 307
    const before = receiver.attempts.length
    expect(await sendWebhook(message(), options)).toBe(307)
    expect(receiver.attempts).toHaveLength(before + 1)
  })

  test('reads a bounded part of a response, for a bounded time', async () => {
    const server = createServer((request, response) => {
      request.resume()
      if (request.url === '/silent') return
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', write)
      write()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      expect(await sendWebhook({ ...message(), url: `${url}/endless` }, options)).toBe(200)
      await expect(
        sendWebhook({ ...message(), url: `${url}/silent` }, { ...options, timeoutMs: 100 }),
      ).rejects.toThrow('no response within 0.1 s')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

describe('private addresses', () => {
  test('are told from public ones', () => {
    const special = [
      ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.255', '169.254.169.254'],
      ...[
        '172.16.0.1',
        '172.31.255.255',
        '192.168.1.1',
        '192.0.0.8',
        '198.18.0.1',
        '224.0.0.1',
        '255.255.255.255',
      ],
      ...[
        '::',
        '::1',
        '::ffff:127.0.0.1',
        '::ffff:8.8.8.8',
        '64:ff9b::7f00:1',
        'fe80::1',
        'fc00::1',
        'fd12::1',
      ],
      ...['ff02::1', '2001:db8::1', '2002:7f00:1::', '2001::1', 'localhost', ''],
    ]
    const open = [
      '8.8.8.8',
      '1.1.1.1',
      '172.32.0.1',
      '100.128.0.1',
      '192.169.0.1',
      '2606:4700::1111',
      '2a00:1450::1',
    ]
    expect(special.filter(isPublicAddress)).toEqual([])
    expect(open.filter(isPublicAddress)).toEqual(open)
  })

  test('are recognised in every spelling of a URL', () => {
    const urls = [
      ...['http://127.0.0.1/', 'http://2130706433/', 'http://0x7f.1/', 'http://0177.0.0.1/', 'http://127.1/'],
      ...[
        'http://[::1]/',
        'http://[::ffff:7f00:1]/',
        'http://localhost/',
        'http://a.LOCALHOST/',
        'http://localhost./',
      ],
      ...['http://0/', 'http://１２７.0.0.1/', 'http://169.254.169.254/latest/meta-data'],
    ]
    expect(urls.filter(url => !isPrivateHost(new URL(url)))).toEqual([])
    expect(isPrivateHost(new URL('https://example.com/'))).toBe(false)
    expect(isPrivateHost(new URL('https://localhost.example.com/'))).toBe(false)
  })

  test('are not connected to', async () => {
    const before = receiver.attempts.length
    const { port } = new URL(receiver.url)
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]'])
      await expect(
        sendWebhook(
          { ...message(), url: `http://${host}:${port}/` },
          { ...options, isPrivateAllowed: false },
        ),
        host,
      ).rejects.toThrow('its address is not a public one')
    expect(receiver.attempts).toHaveLength(before)
  })

  test('are not connected to when a name leads to them later', async () => {
    const answers: LookupAddress[][] = [
      [{ address: '127.0.0.1', family: 4 }],
      [
        { address: '203.0.114.1', family: 4 },
        { address: '::1', family: 6 },
      ],
    ]
    const lookup = publicLookup((_, __, callback) => callback(null, answers.shift() as LookupAddress[]))
    const before = receiver.attempts.length
    const url = `http://rebinding.example:${new URL(receiver.url).port}/`
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(
        sendWebhook({ ...message(), url }, { ...options, isPrivateAllowed: false, lookup }),
      ).rejects.toThrow('its address is not a public one')
    expect(answers).toEqual([])
    expect(receiver.attempts).toHaveLength(before)
  })

  test('of names are checked for each attempt, and public ones are passed on', async () => {
    const addresses = [{ address: '93.184.216.34', family: 4 }]
    const lookup = publicLookup((_, __, callback) => callback(null, addresses))
    const ask = (all: boolean) => new Promise(resolve => lookup('x', { all }, (...answer) => resolve(answer)))
    expect(await ask(true)).toEqual([null, addresses])
    expect(await ask(false)).toEqual([null, '93.184.216.34', 4])
    const failing = publicLookup((_, __, callback) => callback(new Error('ENOTFOUND'), []))
    await expect(
      new Promise((resolve, reject) =>
        failing('x', { all: true }, error => (error ? reject(error) : resolve(0))),
      ),
    ).rejects.toThrow('ENOTFOUND')
  })
})

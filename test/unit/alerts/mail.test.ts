import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMailer, mailContent } from '../../../src/alerts/mail.js'
import { SilentReceiver, UnsendableMessage } from '../../../src/alerts/webhook.js'
import { startMailServer } from '../../support/mail-server.js'

let server: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  server = await startMailServer()
})
beforeEach(() => {
  server.received.length = 0
})
afterAll(() => server.close())

const endless = new AbortController().signal
const mailerAt = (address: string, timeoutMs = 10_000) =>
  createMailer({ smtpUrl: address, smtpFrom: 'candela@example.org', smtpRecipients: '*', timeoutMs })
const mail = {
  id: 'alert_x:%e5%b8%81:60',
  to: 'ann@example.com',
  subject: 'Größe',
  text: 'rsi(14) < 30\n.\nend',
}

describe('an e-mail', () => {
  it('arrives at the server of the settings, encrypted and with its login', async () => {
    await mailerAt(server.url)?.send(mail, endless)
    const [arrived = expect.fail('nothing arrived')] = server.received
    expect(arrived).toMatchObject({
      from: 'candela@example.org',
      to: ['ann@example.com'],
      user: 'ann',
      isSecure: true,
    })
    const { fields, body } = arrived
    expect(fields.get('from')).toBe('candela@example.org')
    expect(fields.get('to')).toBe('ann@example.com')
    // RFC 2047 by either encoding.
    expect(fields.get('subject')).toMatch(/^=\?UTF-8\?(Q\?Gr=C3=B6=C3=9Fe|B\?R3LDtsOfZQ==)\?=$/)
    expect(fields.get('auto-submitted')).toBe('auto-generated')
    expect(fields.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(body.trimEnd()).toBe('rsi(14) < 30\r\n.\r\nend')
  })

  it('has the same id in each attempt, which is one that mail may have, and another one for another alert', async () => {
    for (const id of [mail.id, mail.id, 'alert_x:120'])
      await mailerAt(server.url)?.send({ ...mail, id }, endless)
    const ids = server.received.map(({ fields }) => fields.get('message-id'))
    expect(ids[0]).toMatch(/^<[\w.-]+@example\.org>$/)
    expect([ids[1] === ids[0], ids[2] === ids[0]]).toEqual([true, false])
  })

  it('in HTML has a text beside it', async () => {
    await mailerAt(server.url)?.send({ ...mail, html: '<p>rsi</p>' }, endless)
    const [{ fields, body } = expect.fail('nothing arrived')] = server.received
    expect(fields.get('content-type')).toMatch(/^multipart\/alternative;/)
    expect(body.indexOf('text/plain')).toBeLessThan(body.indexOf('text/html'))
    expect(body).toContain('<p>rsi</p>')
  })

  it('is sent to the address as it is', async () => {
    const to = "o'brien+alerts@example.com"
    await mailerAt(server.url)?.send({ ...mail, to }, endless)
    expect(server.received[0]?.to).toEqual([to])
  })

  it.each<readonly [string, string, new (...given: never[]) => Error, RegExp]>([
    [
      'is a dead letter at once where the server refuses the address for good',
      'gone@example.com',
      UnsendableMessage,
      /cannot be sent: .*550/,
    ],
    ['is tried again where the server refuses it for now', 'busy@example.com', Error, /451/],
  ])('%s', async (_, to, kind, words) => {
    const failure = await mailerAt(server.url)
      ?.send({ ...mail, to }, endless)
      .catch(error => error)
    expect(failure).toBeInstanceOf(kind)
    expect(failure.message).toMatch(words)
    expect(failure instanceof UnsendableMessage).toBe(kind === UnsendableMessage)
  })

  it('is tried again where the login is refused, without the password in the reason', async () => {
    const failure = await mailerAt(server.url.replace('p%40ss', 's3cret'))
      ?.send(mail, endless)
      .catch(error => error)
    expect(failure).not.toBeInstanceOf(UnsendableMessage)
    expect(failure.message).toMatch(/Invalid login/)
    expect(failure.message).not.toContain('s3cret')
  })

  it('is not sent over a connection whose certificate is not valid', async () => {
    const strict = mailerAt(`smtp://127.0.0.1:${server.port}?requireTLS=true`)
    await expect(strict?.send(mail, endless)).rejects.toThrow(/certificate/)
    expect(server.received).toEqual([])
  })

  it('waits for a server that does not answer no longer than its time', async () => {
    const sockets: { destroy(): void }[] = []
    const silent = createServer(socket => sockets.push(socket))
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const address = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`
    await expect(mailerAt(address, 80)?.send(mail, endless)).rejects.toBeInstanceOf(SilentReceiver)
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
})

describe('recipients', () => {
  const allowed = (smtpRecipients: '*' | readonly string[], address: string) =>
    createMailer({ smtpUrl: 'smtp://127.0.0.1', smtpFrom: 'c@example.org', smtpRecipients })?.maySendTo(
      address,
    )

  it.each([
    ['*', 'ann@anywhere.example', true],
    [['@example.com'], 'Ann@Example.com', true],
    [['@example.com'], 'ann@evil-example.com', false],
    [['@example.com'], 'ann@sub.example.com', false],
    [['ann@example.com'], 'ANN@example.com', true],
    [['ann@example.com'], 'joann@example.com', false],
  ] as const)('%j allow %s: %s', (recipients, address, isAllowed) => {
    expect(allowed(recipients, address)).toBe(isAllowed)
  })

  it('are none without a server', () => {
    const settings = { smtpUrl: undefined, smtpFrom: undefined, smtpRecipients: '*' } as const
    expect(createMailer(settings)).toBeUndefined()
  })
})

describe('the content of an e-mail', () => {
  const message = {
    ...{
      name: 'Dip & "deep"',
      exchange: 'demo',
      symbol: 'BTCUSDT',
      timeframe: '1h',
      expression: 'rsi(14) < 30',
    },
    ...{ timestampHuman: '2025-11-21 00:00:00', closed: true, price: 64_012.5 },
  }
  const contentOf = (form: { format?: 'text' | 'html'; template?: string }, changes: object = {}) =>
    mailContent({ to: 'ann@example.com', ...form }, JSON.stringify({ ...message, ...changes }))
  const usual =
    'Dip & "deep": rsi(14) < 30\ndemo BTCUSDT 1h, price 64012.5, candle of 2025-11-21 00:00:00 UTC'

  it('is a text under the name of the alert, or its market', () => {
    expect(contentOf({})).toEqual({ subject: 'Dip & "deep"', text: usual })
    expect(contentOf({ template: '{symbol} < {price}' }).text).toBe('BTCUSDT < 64012.5')
    expect(contentOf({}, { name: undefined }).subject).toBe('BTCUSDT 1h')
  })

  it('is HTML in which fields are no markup', () => {
    const escaped =
      'Dip &amp; &quot;deep&quot;: rsi(14) &lt; 30<br>demo BTCUSDT 1h, price 64012.5, candle of 2025-11-21 00:00:00 UTC'
    expect(contentOf({ format: 'html' })).toEqual({
      subject: 'Dip & "deep"',
      text: usual,
      html: `<p>${escaped}</p>`,
    })
    expect(contentOf({ format: 'html', template: '<b title="{name}">{expression}</b>' }).html).toBe(
      '<b title="Dip &amp; &quot;deep&quot;">rsi(14) &lt; 30</b>',
    )
  })

  it('says that it is a test', () => {
    expect(contentOf({ format: 'html', template: '{symbol}' }, { test: true })).toEqual({
      ...{ subject: 'Test: Dip & "deep"', text: `Test: ${usual}`, html: '<p>Test: </p>BTCUSDT' },
    })
  })
})

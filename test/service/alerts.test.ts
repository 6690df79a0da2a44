import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as refusals from '../../src/contract/screen-refusals.js'
import { fetchDocumented } from '../support/documented.js'
import { startMailServer } from '../support/mail-server.js'
import { StreamingClient } from '../support/streaming-client.js'
import { startTestService, type TestService } from '../support/test-service.js'
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.js'

let service: TestService
let receiver: WebhookReceiver
let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  receiver = await startReceiver()
  mail = await startMailServer()
  service = await startTestService({
    alertsPrivateTargets: true,
    ...{ smtpUrl: mail.url, smtpFrom: 'candela@example.org', smtpRecipients: ['@example.com'] },
  })
})
afterAll(async () => {
  await service.close()
  await receiver.close()
  await mail.close()
})

const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' }
const screen = { exchange: 'demo', timeframe: '1m', expression: 'close > 1' }

async function ask(method: string, path: string, body?: unknown, key = 'many', url = service.url) {
  const response = await fetchDocumented(url, path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

/** Lets the time of the market pass, a candle at a time, until something has happened. */
async function pass(isMet: () => boolean): Promise<void> {
  for (let tries = 0; !isMet(); tries++) {
    if (tries > 60) throw new Error(`nothing has happened: ${isMet}`)
    service.pass(60)
    await sleep(300)
  }
}

describe('the routes of alerts', () => {
  it('make, list, pause, resume and delete alerts of a key', async () => {
    const request = {
      ...market,
      symbol: 'btc/usdt',
      expression: 'close > 1e9',
      webhook: receiver.url,
      name: 'moon',
    }
    const made = await ask('POST', '/alerts', request)
    expect(made).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^alert_[\w-]{12}$/),
        ...{ name: 'moon', ...market, expression: 'close > 1e9', on: 'close', trigger: 'edge' },
        ...{ webhook: receiver.url, paused: false, created: expect.any(Number) },
        ...{ settled: 4, settledAfter: 0 },
        secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
      },
    })
    const { secret: _, ...shown } = made.body
    const path = `/alerts/${shown.id}`
    expect(await ask('GET', '/alerts')).toEqual({ status: 200, body: { alerts: [shown] } })
    expect(await ask('GET', '/alerts', undefined, 'few')).toEqual({ status: 200, body: { alerts: [] } })
    const paused = { status: 200, body: { ...shown, paused: true } }
    expect(await ask('POST', path, { paused: true })).toEqual(paused)
    expect(await ask('GET', '/alerts')).toEqual({ status: 200, body: { alerts: [paused.body] } })
    expect(await ask('POST', path, { paused: false })).toEqual({ status: 200, body: shown })
    const unknown = { status: 404, body: { error: `Alert not found: ${shown.id}` } }
    expect(await ask('POST', path, { paused: true }, 'few')).toEqual(unknown)
    expect(await ask('DELETE', path, undefined, 'few')).toEqual(unknown)
    expect(await ask('DELETE', path)).toEqual({ status: 200, body: shown })
    expect(await ask('DELETE', path)).toEqual(unknown)
  })

  it('is made over the most traded markets of that moment', async () => {
    const made = await ask('POST', '/alerts', { ...screen, symbols: ['top:3'], quote: 'USDT' })
    expect([made.status, made.body.symbols.length, made.body.quote]).toEqual([201, 3, undefined])
    await ask('DELETE', `/alerts/${made.body.id}`)
    expect((await ask('POST', '/alerts', { ...screen, symbols: ['top:3'] })).body.error).toContain(
      'needs quote',
    )
  })

  it.each([
    [{}, 400, 'Missing required: exchange, symbol, timeframe'],
    [{ ...market }, 400, 'Missing required: expression'],
    [{ ...market, expression: 5 }, 400, 'Invalid expression: 5. Expected text'],
    [{ ...market, expression: 'rsi(14) <' }, 400, expect.stringContaining('character 10')],
    [{ ...market, expression: 'rsi(14)' }, 400, refusals.alertNotCondition().error],
    [
      { ...market, expression: 'close > 1', on: 'open' },
      400,
      'Invalid on: open. Expected one of close, update',
    ],
    [
      { ...market, expression: 'close > 1', trigger: 1 },
      400,
      'Invalid trigger: 1. Expected one of edge, level',
    ],
    [{ ...market, expression: 'close > 1', settled: 9 }, 400, 'Invalid settled: 9. Expected integer, 0 to 8'],
    [
      { ...market, expression: 'close > 1', name: 'x'.repeat(101) },
      400,
      expect.stringContaining('Invalid name'),
    ],
    [
      { ...market, expression: 'close > 1', webhook: 'ftp://example.com' },
      400,
      expect.stringContaining('https://'),
    ],
    [{ ...market, expression: 'close > 1', webhook: 5 }, 400, expect.stringContaining('Invalid webhook: 5')],
    [
      { ...market, expression: 'close > 1', webhook: 'https://a:b@example.com' },
      400,
      refusals.webhookWithPassword().error,
    ],
    [
      { ...market, expression: 'close > 1', url: 'https://example.com' },
      400,
      expect.stringContaining('Unknown parameter: url'),
    ],
    [{ ...market, symbol: 'NOSUCH', expression: 'close > 1' }, 404, expect.stringContaining('NOSUCH')],
    [{ ...market, symbols: ['BTCUSDT'], expression: 'close > 1' }, 400, refusals.symbolAndScreen().error],
    [{ ...screen, symbols: ['BTCUSDT'], quote: 'USDT' }, 400, 'Send either symbols or quote, not both'],
    [{ ...screen, symbols: [] }, 400, 'Invalid symbols: "0 symbols". Expected an array of symbols'],
    [{ ...screen, symbols: ['BTCUSDT', 'NOSUCH'] }, 404, expect.stringContaining('NOSUCH')],
    [{ ...screen, quote: 5 }, 400, expect.stringContaining('Invalid quote: 5')],
    [{ ...screen, quote: 'NOSUCH' }, 404, 'No symbol of demo ends with NOSUCH'],
    [{ quote: 'USDT', expression: 'close > 1' }, 400, 'Missing required: exchange, timeframe'],
    [{ ...screen, timeframe: '7m', quote: 'USDT' }, 400, expect.stringContaining('7m')],
    [{ ...screen, exchange: 'nowhere', quote: 'USDT' }, 404, expect.stringContaining('nowhere')],
    [
      { ...screen, symbols: Array.from({ length: 101 }, (_, at) => `A${at}`) },
      400,
      refusals.tooManyAlertMarkets(101, 100).error,
    ],
    [{ ...market, exchange: 'nowhere', expression: 'close > 1' }, 404, expect.stringContaining('nowhere')],
  ])('refuse %j', async (body, status, error) => {
    expect(await ask('POST', '/alerts', body)).toEqual({ status, body: { error } })
  })

  it('say when the condition of an alert settles, and because of what it never does', async () => {
    const make = async (fields: object) => (await ask('POST', '/alerts', { ...market, ...fields })).body
    const slow = await make({ expression: 'close > ema(100)' })
    const never = await make({ expression: 'obv > 0 and close > 1' })
    const off = await make({ expression: 'close > ema(300)', settled: 0 })
    // 4 digits of an average over 100 candles settle within the 1,000 that are kept, of one over 300 none.
    expect(slow).toMatchObject({ settled: 4, settledAfter: expect.any(Number) })
    const fewer = await make({ expression: 'close > ema(150)' })
    expect(fewer.settled).toBeLessThan(4)
    expect(fewer.settledAfter).toBeLessThan(1000)
    expect(await make({ expression: 'close > ema(300)' })).toMatchObject({ settled: 0 })
    expect(
      await ask('POST', '/alerts', { ...market, expression: 'close > ema(300)', settled: 4 }),
    ).toMatchObject({
      status: 400,
      body: {
        error: expect.stringMatching(/^Not enough candles: expression needs \d+ for 4 settled digits/),
      },
    })
    expect(never).toMatchObject({ settled: 4, unsettling: 'obv' })
    expect(never).not.toHaveProperty('settledAfter')
    expect(off).toMatchObject({ settled: 0 })
    expect(off).not.toHaveProperty('settledAfter')
    await service.get('/candles?exchange=demo&symbol=BTCUSDT&timeframe=1m')
    const { alerts } = (await ask('GET', '/alerts')).body
    for (const alert of alerts) {
      expect(alert, 'all candles that are kept are there').not.toHaveProperty('unsettled')
      await ask('DELETE', `/alerts/${alert.id}`)
    }
  })

  it('make, list, pause and delete alerts over a screen', async () => {
    const asked = { ...screen, expression: 'close > 1e9', symbols: ['eth/usdt', 'BTCUSDT', 'ETHUSDT'] }
    const made = await ask('POST', '/alerts', asked)
    expect(made).toEqual({
      status: 201,
      body: {
        ...{ ...screen, expression: 'close > 1e9', on: 'close', trigger: 'edge' },
        ...{ id: expect.stringMatching(/^alert_[\w-]{12}$/), symbols: ['BTCUSDT', 'ETHUSDT'] },
        ...{ paused: false, created: expect.any(Number), settled: 4, settledAfter: 0 },
      },
    })
    const path = `/alerts/${made.body.id}`
    const paused = { ...made.body, paused: true }
    expect(await ask('POST', path, { paused: true })).toEqual({ status: 200, body: paused })
    expect(await ask('GET', '/alerts')).toEqual({ status: 200, body: { alerts: [paused] } })
    expect(await ask('DELETE', path)).toEqual({ status: 200, body: paused })
    const all = await ask('POST', '/alerts', { ...screen, quote: 'usdt' })
    const listed = await ask('GET', '/exchanges/demo/symbols')
    expect(all.body).toMatchObject({ quote: 'USDT' })
    expect(all.body.symbols.length).toBeGreaterThan(2)
    const symbols: string[] = listed.body.symbols
    expect(all.body.symbols).toEqual(symbols.filter(symbol => symbol.endsWith('USDT')).sort())
    await ask('DELETE', `/alerts/${all.body.id}`)
    const over = { ...screen, quote: 'USDT' }
    const { length } = all.body.symbols
    expect(await ask('POST', '/alerts', over, 'one')).toEqual({
      status: 429,
      body: refusalOf(refusals.tooManyAlertsForKey(1, length)),
    })
    expect(await ask('GET', '/alerts')).toEqual({ status: 200, body: { alerts: [] } })
  })

  it('send a marked test, signed, and answer whether it has arrived', async () => {
    const own = await startReceiver()
    const request = { ...market, expression: 'close > 1e9', name: 'moon' }
    const { body: posted } = await ask('POST', '/alerts', { ...request, webhook: own.url })
    const test = (id: string, key = 'many') => ask('POST', `/alerts/${id}/test`, {}, key)
    expect(await test(posted.id)).toEqual({ status: 200, body: { delivered: true } })
    const { headers, body: text } = own.attempts[0] ?? expect.fail('none')
    const message = JSON.parse(text)
    expect(message).toMatchObject({ type: 'alert', test: true, alert: posted.id, ...market, name: 'moon' })
    const attempted = new Date(Number(headers['webhook-timestamp']) * 1000)
    expect(headers['webhook-signature']).toBe(new Webhook(posted.secret).sign(message.id, attempted, text))
    own.status = 410
    const reason = 'the webhook answered with status 410'
    expect(await test(posted.id)).toEqual({ status: 200, body: { delivered: false, reason } })
    own.status = 200
    expect((await ask('GET', '/alerts/dead-letters')).body).toEqual({ deadLetters: [] })

    const { body: streamed } = await ask('POST', '/alerts', request)
    const none = 'no streaming connection of the account asks for alerts'
    expect((await test(streamed.id)).body).toEqual({ delivered: false, reason: none })
    const client = await StreamingClient.connect(service.url, 'many')
    client.send({ type: 'alerts' })
    expect(await client.next()).toEqual({ type: 'alerts_ok' })
    expect((await test(streamed.id)).body).toEqual({ delivered: true })
    expect(await client.next()).toMatchObject({ type: 'alert', test: true, alert: streamed.id })
    client.socket.close()

    expect((await test(streamed.id, 'few')).status).toBe(404)
    expect((await ask('POST', `/alerts/${streamed.id}/test`, { price: 1 })).status).toBe(400)
    await own.close()
    for (const { id } of [posted, streamed]) await ask('DELETE', `/alerts/${id}`)
  })

  it('reach messengers in their forms', async () => {
    const own = await startReceiver()
    const request = { ...market, expression: 'close > 1e9', name: 'moon' }
    const bodies: Readonly<Record<string, unknown>> = {
      discord: {
        content: expect.stringMatching(/^Test: moon: close > 1e9\n/),
        allowed_mentions: { parse: [] },
      },
      slack: { text: expect.stringMatching(/^Test: moon: close &gt; 1e9\n/) },
      telegram: { chat_id: '7', text: expect.stringMatching(/^Test: moon: close > 1e9\n/) },
      json: { at: 0, in: 'BTCUSDT' },
      // The title is a header field, and the text is the body, unchanged.
      ntfy: expect.stringMatching(/^Test: moon: close > 1e9\n/),
    }
    for (const [at, [format, body]] of Object.entries(bodies).entries()) {
      const template = format === 'json' ? '{"at":{price},"in":"{symbol}"}' : undefined
      const given = { webhook: `${own.url}?chat_id=7`, format, template }
      const { status, body: made } = await ask('POST', '/alerts', { ...request, ...given })
      expect({ status, made }).toMatchObject({ status: 201, made: { format } })
      expect((await ask('POST', `/alerts/${made.id}/test`, {})).body).toEqual({ delivered: true })
      const { headers, body: text } = own.attempts[at] ?? expect.fail('none')
      const isText = format === 'ntfy'
      expect(headers).toMatchObject({
        'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
        ...(isText && { title: 'moon' }),
      })
      expect(isText ? text : JSON.parse(text), format).toEqual(body)
      const attempted = new Date(Number(headers['webhook-timestamp']) * 1000)
      const signature = new Webhook(made.secret).sign(String(headers['webhook-id']), attempted, text)
      expect(headers['webhook-signature']).toBe(signature)
      await ask('DELETE', `/alerts/${made.id}`)
    }
    await own.close()
  })

  it('are sent by e-mail where the service is set up for that', async () => {
    const request = {
      ...market,
      expression: 'close > 1',
      trigger: 'level',
      name: 'up',
      email: 'ann@example.com',
    }
    const { status, body: made } = await ask('POST', '/alerts', { ...request, format: 'html' })
    expect([status, made]).toMatchObject([201, { email: 'ann@example.com', format: 'html' }])
    expect(made).not.toHaveProperty('secret')
    expect((await ask('POST', `/alerts/${made.id}/test`, {})).body).toEqual({ delivered: true })
    await pass(() => mail.received.length > 1)
    const subjects = mail.received.map(({ to, fields }) => [to, fields.get('subject')])
    expect(subjects.slice(0, 2)).toEqual([
      [['ann@example.com'], 'Test: up'],
      [['ann@example.com'], 'up'],
    ])
    await ask('DELETE', `/alerts/${made.id}`)
  })

  it.each<[object, string]>([
    [{ email: 'ann@example.com', webhook: 'https://example.com' }, 'Send only one of webhook and email'],
    [{ email: 'ann' }, 'Invalid email: ann. Expected one address, such as ann@example.com'],
    [
      { email: 'ann@example.com,bob@example.com' },
      'Invalid email: ann@example.com,bob@example.com. Expected one address, such as ann@example.com',
    ],
    [
      { email: 'ann@example.net' },
      'Invalid email: ann@example.net is not among the SMTP_RECIPIENTS of this service',
    ],
    [
      { email: 'ann@example.com', format: 'discord' },
      'Invalid format: discord. For email expected one of text, html',
    ],
    [
      { webhook: 'https://example.com', format: 'html' },
      'Invalid format: html. For webhook expected one of candela, json, text, discord, slack, telegram, ntfy',
    ],
    [
      { email: 'ann@example.com', template: '{prise}' },
      'Invalid template: {prise} is no field of a message. Did you mean price?',
    ],
  ])('refuse an e-mail as in %j', async (given, error) => {
    const request = { ...market, expression: 'close > 1e9', ...given }
    expect(await ask('POST', '/alerts', request)).toEqual({ status: 400, body: { error } })
  })

  it.each<[object, string]>([
    [{ format: 'discord' }, 'format needs a webhook or an email'],
    [{ template: 'x' }, 'template needs a webhook or an email'],
    [
      { webhook: true, template: 'x' },
      'template needs a format: one of json, text, discord, slack, telegram, ntfy',
    ],
    [{ webhook: true, format: 'json' }, 'Missing required: template. The format json is the template'],
    [
      { webhook: true, format: 'text', template: '{prise}' },
      'Invalid template: {prise} is no field of a message. Did you mean price?',
    ],
    [
      { webhook: true, format: 'slak' },
      'Invalid format: "slak". Expected one of candela, json, text, discord, slack, telegram, ntfy, html',
    ],
  ])('refuse %j', async ({ webhook, ...given }: { readonly webhook?: boolean }, error) => {
    const address = webhook ? { webhook: receiver.url } : undefined
    const request = { ...market, expression: 'close > 1e9', ...address, ...given }
    expect(await ask('POST', '/alerts', request)).toEqual({ status: 400, body: { error } })
  })

  it('refuse a change that is none', async () => {
    expect((await ask('POST', '/alerts/x', {})).body.error).toBe('Missing required: paused')
    expect((await ask('POST', '/alerts/x', { paused: 'yes' })).status).toBe(400)
    expect((await ask('POST', '/alerts/x', { paused: true, x: 1 })).status).toBe(400)
    expect((await ask('DELETE', '/alerts')).status).toBe(405)
  })

  it('bound the alerts of a key by the subscriptions of its plan', async () => {
    const request = { ...market, expression: 'close > 1e9' }
    const { status, body } = await ask('POST', '/alerts', request, 'one')
    expect(status).toBe(201)
    expect(await ask('POST', '/alerts', request, 'one')).toEqual({
      status: 429,
      body: { error: 'Too many alerts. Your key may have 1 alert(s).' },
    })
    await ask('DELETE', `/alerts/${body.id}`, undefined, 'one')
  })

  it('refuse webhooks with private addresses, unless they are allowed', async () => {
    const strict = await startTestService()
    try {
      for (const host of [
        '127.0.0.1',
        'localhost:9000',
        '[::1]',
        '10.1.2.3',
        '169.254.169.254',
        '2130706433',
      ]) {
        const webhook = `http://${host}/x`
        const reply = await ask(
          'POST',
          '/alerts',
          { ...market, expression: 'close > 1', webhook },
          'many',
          strict.url,
        )
        expect(reply, host).toEqual({
          status: 400,
          body: refusalOf(refusals.webhookPrivate(new URL(webhook).hostname)),
        })
      }
    } finally {
      await strict.close()
    }
  })

  it('have the texts of the golden file', () => {
    const all = {
      alertNotFound: refusals.alertNotFound('alert_x'),
      tooManyAlertsForKey: refusals.tooManyAlertsForKey(5),
      tooManyAlerts: refusals.tooManyAlerts(10_000, 12),
      alertsUnavailable: refusals.alertsUnavailable('changed', 5),
      tooManyAlertMarkets: refusals.tooManyAlertMarkets(412, 100),
      symbolAndScreen: refusals.symbolAndScreen(),
      alertNotCondition: refusals.alertNotCondition(),
      webhookNotUrl: refusals.webhookNotUrl('ftp://example.com'),
      webhookWithPassword: refusals.webhookWithPassword(),
      webhookPrivate: refusals.webhookPrivate('127.0.0.1'),
      formatWithoutWebhook: refusals.formatWithoutWebhook('template'),
      templateWithoutFormat: refusals.templateWithoutFormat(['json', 'text', 'discord']),
      jsonWithoutTemplate: refusals.jsonWithoutTemplate(),
      invalidTemplate: refusals.invalidTemplate(5, 2000),
      unknownTemplateField: refusals.unknownTemplateField('prise', ['price']),
      templateNotJson: refusals.templateNotJson(),
      telegramWithoutChat: refusals.telegramWithoutChat(),
      emailNotAddress: refusals.emailNotAddress('ann'),
      webhookAndEmail: refusals.webhookAndEmail(),
      emailOff: refusals.emailOff(),
      emailNotAllowed: refusals.emailNotAllowed('ann@example.net'),
      formatOfOther: refusals.formatOfOther('discord', 'email', ['text', 'html']),
    }
    const golden = (name: string) =>
      JSON.parse(readFileSync(new URL(`../golden/${name}-refusals.json`, import.meta.url), 'utf8'))
    // The others are those of screens and of lists.
    const names = Object.keys(refusals).filter(name => !(name in golden('screen')) && !/list/i.test(name))
    expect(Object.keys(all).sort()).toEqual(names.sort())
    expect(all).toEqual(golden('alert'))
  })
})

const refusalOf = ({ error }: { readonly error: string }) => ({ error })

describe('alerts of a running service', () => {
  it('are posted to a webhook, signed, once per candle and in order, also after it was down', async () => {
    receiver.status = 503
    const { body } = await ask('POST', '/alerts', {
      ...{ ...market, expression: 'close > 0', trigger: 'level', webhook: receiver.url },
    })
    await pass(() => receiver.attempts.length > 5)
    receiver.status = 200
    await pass(() => receiver.delivered.length >= 5)
    await ask('DELETE', `/alerts/${body.id}`)
    const times = receiver.delivered.map(key => Number(key.split(':')[1]))
    expect(times).toEqual(times.map((_, at) => (times[0] as number) + 60 * at))
    const { headers, body: text } =
      receiver.attempts.find(({ status }) => status === 200) ?? expect.fail('none')
    const id = `${body.id}:${times[0]}`
    expect(headers['webhook-id']).toBe(id)
    const attempted = new Date(Number(headers['webhook-timestamp']) * 1000)
    expect(headers['webhook-signature']).toBe(new Webhook(body.secret).sign(id, attempted, text))
    expect(JSON.parse(text)).toMatchObject({
      type: 'alert',
      ...market,
      closed: true,
      price: expect.any(Number),
    })
  })

  it('over a screen are posted once per market and candle, each about its market', async () => {
    const { body } = await ask('POST', '/alerts', {
      ...{ ...screen, symbols: ['BTCUSDT', 'ETHUSDT'], trigger: 'level', webhook: receiver.url },
    })
    const messages = () => receiver.attempts.map(({ body }) => JSON.parse(body))
    const of = (symbol: string) =>
      messages().filter(message => message.alert === body.id && message.symbol === symbol)
    await pass(() => of('BTCUSDT').length >= 3 && of('ETHUSDT').length >= 3)
    await ask('DELETE', `/alerts/${body.id}`)
    for (const symbol of body.symbols) {
      const [first, ...others] = of(symbol)
      const times = [first, ...others].map(({ timestamp }) => timestamp)
      expect(times).toEqual(times.map((_, at) => times[0] + 60 * at))
      expect(first).toMatchObject({ id: `${body.id}:${symbol}:${times[0]}`, alert: body.id, closed: true })
      const candles = await ask('GET', `/candles?exchange=demo&symbol=${symbol}&timeframe=1m&results=100`)
      const closes = new Map(
        candles.body.map((candle: { timestamp: number; close: number }) => [candle.timestamp, candle.close]),
      )
      expect(first.price).toBe(closes.get(first.timestamp))
    }
  })

  it('are sent on streaming connections of the key that ask for them, and wait for one', async () => {
    const { body } = await ask('POST', '/alerts', { ...market, expression: 'close > 0', trigger: 'level' })
    const quiet = await StreamingClient.connect(service.url, 'many')
    const other = await StreamingClient.connect(service.url, 'few')
    other.send({ type: 'alerts' })
    expect(await other.next()).toEqual({ type: 'alerts_ok' })
    service.pass(60)
    const firedOf = async () =>
      (await ask('GET', '/alerts')).body.alerts.find(({ id }: { id: string }) => id === body.id).fired
    await expect.poll(firedOf).toEqual(expect.any(Number))
    const client = await StreamingClient.connect(service.url, 'many')
    client.send({ type: 'alerts' })
    expect(await client.next()).toEqual({ type: 'alerts_ok' })
    let isHere = false
    const message = client.next().then(received => {
      isHere = true
      return received
    })
    await pass(() => isHere)
    const { timestamp, ...fired } = await message
    expect(fired).toMatchObject({ type: 'alert', alert: body.id, ...market, trigger: 'level' })
    expect(await firedOf()).toBeGreaterThanOrEqual(timestamp as number)
    await ask('DELETE', `/alerts/${body.id}`)
    expect(quiet.texts).toHaveLength(1)
    expect(other.texts).toHaveLength(2)
    for (const each of [quiet, other, client]) each.socket.close()
  })
})

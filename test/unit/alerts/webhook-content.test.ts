import { describe, expect, it } from 'vitest'
import { webhookContent } from '../../../src/alerts/webhook-content.js'
import {
  fillTemplate,
  formatOfAddress,
  refuseTemplate,
  templateFields,
  type WebhookFormat,
} from '../../../src/contract/webhook-format.js'

const message = {
  type: 'alert',
  id: 'alert_x:60',
  alert: 'alert_x',
  name: 'Dip & "deep" @everyone',
  exchange: 'demo',
  symbol: 'BTCUSDT',
  timeframe: '1h',
  expression: 'rsi(14) < 30',
  on: 'close',
  trigger: 'edge',
  timestamp: 1_763_683_200,
  timestampHuman: '2025-11-21 00:00:00',
  closed: true,
  price: 64_012.5,
}
const market = 'demo BTCUSDT 1h, price 64012.5, candle of 2025-11-21 00:00:00 UTC'
const usual = `Dip & "deep" @everyone: rsi(14) < 30\n${market}`
const plain = 'text/plain; charset=utf-8'

const contentOf = (format: WebhookFormat, template?: string, changes: object = {}) => {
  const url = 'https://api.telegram.org/bot1:x/sendMessage?chat_id=-100'
  return webhookContent(
    { url, secret: '', format, ...(template !== undefined && { template }) },
    JSON.stringify({ ...message, ...changes }),
  )
}
const jsonOf = (format: WebhookFormat, template?: string, changes?: object) => {
  const { headers, body } = contentOf(format, template, changes)
  expect(headers).toEqual({ 'Content-Type': 'application/json' })
  return JSON.parse(body)
}

describe('the message of a webhook', () => {
  it('is that of the service unless a format is chosen', () => {
    const body = JSON.stringify(message)
    const headers = { 'Content-Type': 'application/json' }
    expect(webhookContent({ url: 'https://example.com', secret: '' }, body)).toEqual({ body, headers })
    expect(contentOf('candela')).toEqual({ body, headers })
  })

  // https://discord.com/developers/docs/resources/webhook#execute-webhook
  it('is the content of a Discord message in which names notify no one', () => {
    expect(jsonOf('discord')).toEqual({ content: usual, allowed_mentions: { parse: [] } })
  })

  // https://docs.slack.dev/messaging/formatting-message-text#escaping
  it('is the text of a Slack message, in which a condition is no markup', () => {
    expect(jsonOf('slack')).toEqual({ text: `Dip &amp; "deep" @everyone: rsi(14) &lt; 30\n${market}` })
    const template = '<https://example.com|{name}>: {expression}'
    const text = '<https://example.com|Dip &amp; "deep" @everyone>: rsi(14) &lt; 30'
    expect(jsonOf('slack', template)).toEqual({ text })
  })

  // https://core.telegram.org/bots/api#sendmessage
  it('is the text of a Telegram message to the chat of the address', () => {
    expect(jsonOf('telegram')).toEqual({ chat_id: '-100', text: usual })
  })

  // https://docs.ntfy.sh/publish/
  it('is the body of an ntfy message with a title', () => {
    expect(contentOf('ntfy', undefined, { name: undefined })).toEqual({
      body: `rsi(14) < 30\n${market}`,
      headers: { 'Content-Type': plain, Title: 'BTCUSDT 1h' },
    })
    // The example of RFC 2047 for a word in UTF-8 and base64 has the same form.
    expect(contentOf('ntfy', undefined, { name: 'Größe' }).headers.Title).toBe('=?UTF-8?B?R3LDtsOfZQ==?=')
  })

  it('is a text', () => {
    expect(contentOf('text')).toEqual({ body: usual, headers: { 'Content-Type': plain } })
    const body = `rsi(14) < 30\ndemo BTCUSDT 1h renko:5, price 64012.5, forming candle of 2025-11-21 00:00:00 UTC`
    const changes = { name: undefined, closed: false, chart: 'renko:5' }
    expect(contentOf('text', undefined, changes).body).toBe(body)
  })

  it('is a template with the fields of the message', () => {
    expect(contentOf('text', '{symbol}/{timeframe} {price} {closed} [{chart}]').body).toBe(
      'BTCUSDT/1h 64012.5 true []',
    )
    expect(
      jsonOf('json', '{"text":"{name}\\n{expression}","at":{timestamp},"price":{price},"{on}":[{closed}]}'),
    ).toEqual({
      text: `${message.name}\n${message.expression}`,
      at: message.timestamp,
      price: message.price,
      close: [true],
    })
  })

  it('says that it is a test', () => {
    expect(contentOf('text', '{symbol}', { test: true }).body).toBe('Test: BTCUSDT')
    expect(jsonOf('json', '{"test":"{test}"}', { test: true })).toEqual({ test: 'true' })
  })

  it('is as long as its receiver takes at most', () => {
    const name = 'é'.repeat(50_000)
    expect(jsonOf('discord', '{name}', { name }).content).toHaveLength(2000)
    expect(jsonOf('telegram', '{name}', { name }).text).toHaveLength(4096)
    expect(jsonOf('slack', '{name}', { name }).text).toBe(`${'é'.repeat(39_999)}…`)
    expect(Buffer.byteLength(contentOf('ntfy', '{name}', { name }).body)).toBeLessThanOrEqual(4096)
    expect(contentOf('text', '{name}', { name }).body).toBe(name)
  })
})

describe('the format of an address', () => {
  it.each([
    ['https://discord.com/api/webhooks/1/x', 'discord'],
    ['https://ptb.discord.com/api/webhooks/1/x', 'discord'],
    ['https://hooks.slack.com/services/T/B/x', 'slack'],
    ['https://api.telegram.org/bot1:x/sendMessage?chat_id=1', 'telegram'],
    ['https://ntfy.sh/topic', 'ntfy'],
    ['https://example.com/discord.com/api/webhooks', undefined],
    ['https://discord.com.example.com/api/webhooks', undefined],
  ])('of %s is %s', (url, format) => {
    expect(formatOfAddress(url)).toBe(format)
  })
})

describe('a template', () => {
  it('may have each field that a message has', () => {
    const all = { ...message, chart: 'renko:5', test: true }
    const names: readonly string[] = templateFields
    expect([...names].sort()).toEqual(
      Object.keys(all)
        .filter(name => name !== 'type')
        .sort(),
    )
    expect(refuseTemplate(templateFields.map(name => `{${name}}`).join(), 'text')).toBeUndefined()
  })

  it('is refused with another field, or where it is to be JSON and is none', () => {
    expect(refuseTemplate('{Symbol} at {prise}', 'text')?.error).toContain('{Symbol} is no field')
    for (const template of ['{"a":"{symbol}"', '{"a":{symbol}}', '{"a":{test}}', '{symbol}'])
      expect(refuseTemplate(template, 'json')?.error, template).toContain('not valid JSON')
    expect(refuseTemplate('{"a":"{symbol}","b":{price}}', 'json')).toBeUndefined()
    // Braces without a name between them are text.
    expect(refuseTemplate('{"a":{}}', 'json')).toBeUndefined()
    expect(fillTemplate('{} { price } {price}', () => '5')).toBe('{} { price } 5')
  })
})

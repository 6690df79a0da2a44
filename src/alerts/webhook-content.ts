import { fillTemplate, inJson, type WebhookFormat } from '../contract/webhook-format.js'
import type { Alert } from './alert.js'

export interface WebhookContent {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export type MessageFields = Readonly<Record<string, string | number | boolean | undefined>>

const json = { 'Content-Type': 'application/json' }
const plain = { 'Content-Type': 'text/plain; charset=utf-8' }

/**
 * Longest text that a messenger accepts, in characters. Sources: Discord, "Execute Webhook"; Telegram Bot API,
 * "sendMessage"; Slack, "Sending messages using incoming webhooks" (truncation of long messages). The limit of ntfy is
 * in bytes (docs.ntfy.sh, "Limitations"); a UTF-16 unit has at most three in UTF-8.
 */
const maxLength: Partial<Record<WebhookFormat, number>> = {
  discord: 2000,
  telegram: 4096,
  slack: 40_000,
  ntfy: Math.floor(4096 / 3),
}

/** An alert's message in the format of its webhook; `body` is the service's JSON message. */
export function webhookContent(
  { url, format = 'candela', template }: NonNullable<Alert['webhook']>,
  body: string,
): WebhookContent {
  if (format === 'candela') return { body, headers: json }
  const fields: MessageFields = JSON.parse(body)
  const value = (name: string) => String(fields[name] ?? '')
  if (format === 'json')
    return { body: fillTemplate(template ?? '', name => inJson(value(name))), headers: json }
  const encode = format === 'slack' ? escapeSlack : (text: string) => text
  const own = messageText(fields, template, encode)
  const text = shorten(fields.test ? `Test: ${own}` : own, maxLength[format] ?? Number.POSITIVE_INFINITY)
  switch (format) {
    case 'discord':
      // A name such as "@everyone" in an alert must not notify anyone.
      return { body: JSON.stringify({ content: text, allowed_mentions: { parse: [] } }), headers: json }
    case 'slack':
      return { body: JSON.stringify({ text }), headers: json }
    case 'telegram':
      return { body: JSON.stringify({ chat_id: chatOf(url), text }), headers: json }
    case 'ntfy':
      return { body: text, headers: { ...plain, Title: encodeWord(titleOf(fields)) } }
    case 'text':
      return { body: text, headers: plain }
  }
}

export const chatOf = (url: string): string | null => new URL(url).searchParams.get('chat_id')

export const titleOf = ({ name, symbol, timeframe }: MessageFields): string =>
  String(name ?? `${symbol} ${timeframe}`)

/** The text of a message. Without a template, it has two lines. */
export const messageText = (
  fields: MessageFields,
  template: string | undefined,
  encode: (text: string) => string,
): string =>
  template === undefined
    ? usualText(fields, encode)
    : fillTemplate(template, name => encode(String(fields[name] ?? '')))

function usualText(fields: MessageFields, encode: (text: string) => string): string {
  const { name, expression, exchange, symbol, timeframe, chart, price, timestampHuman, closed } = fields
  const market = [exchange, symbol, timeframe, chart].filter(each => each !== undefined).join(' ')
  const condition = name === undefined ? expression : `${name}: ${expression}`
  return encode(
    `${condition}\n${market}, price ${price}, ${closed ? '' : 'forming '}candle of ${timestampHuman} UTC`,
  )
}

/** Escapes Slack's control characters. Source: its "Formatting text for app surfaces", "Escaping text". */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const shorten = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text

/** Encodes a text for a header field (RFC 2047). */
const encodeWord = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`

import { z } from 'zod'
import { once } from '../runtime/once.js'
import { optional, refusedBy } from './fields.js'
import { nearFields } from './hints.js'
import { maxEmailLength } from './limits.js'
import type { Refusal } from './refusals.js'
import { emailNotAddress, invalidTemplate, templateNotJson, unknownTemplateField } from './screen-refusals.js'

/** Formats of webhook messages: the message of the service, the caller's own body, or a text in the form of a messenger. */
export const webhookFormats = ['candela', 'json', 'text', 'discord', 'slack', 'telegram', 'ntfy'] as const
export type WebhookFormat = (typeof webhookFormats)[number]
/** Formats of e-mails. */
export const emailFormats = ['text', 'html'] as const
export type EmailFormat = (typeof emailFormats)[number]
export const messageFormats = [...webhookFormats, 'html'] as const

/** Message fields that a template may have. */
export const templateFields = [
  'id',
  'alert',
  'name',
  'exchange',
  'symbol',
  'timeframe',
  'expression',
  'chart',
  'on',
  'trigger',
  'timestamp',
  'timestampHuman',
  'closed',
  'price',
  'test',
] as const

/** Maximum length of a template. It is the maximum length of a Discord message. */
export const maxTemplateLength = 2000

/** Alert fields for the message text, its format and an e-mail address. */
export const webhookFormatShape = once(() => ({
  email: refusedBy(
    optional(z.email().max(maxEmailLength)).describe(
      'E-mail address for messages, instead of a webhook. The service must be configured for e-mail.',
    ),
    emailNotAddress,
  ),
  format: optional(z.enum(messageFormats)).describe(
    'Format of the message. E-mail: `text` (default) or `html`. Webhook: all but `html`; the default is that of the messenger with this address, else `candela`. `candela` is the message as JSON, `json` the `template`, a JSON text. Others are a short text, or the `template`, as `text/plain` or as Discord, Slack, Telegram and ntfy expect it.',
  ),
  template: refusedBy(
    optional(z.string().max(maxTemplateLength)).meta({
      description: `Text of the message, with fields of the message in braces: ${templateFields.map(name => `{${name}}`).join(', ')}.`,
      examples: ['{name}: {symbol} at {price}'],
    }),
    value => invalidTemplate(value, maxTemplateLength),
  ),
}))

/** Sample value of each field that is not a text. */
const samples: Readonly<Record<string, string>> = { timestamp: '1', price: '1', closed: 'true' }

const messengers: readonly (readonly [address: RegExp, format: WebhookFormat])[] = [
  [/^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\//, 'discord'],
  [/^https:\/\/hooks\.slack\.com\//, 'slack'],
  [/^https:\/\/api\.telegram\.org\//, 'telegram'],
  [/^https:\/\/ntfy\.sh\//, 'ntfy'],
]

/** Format that the messenger of an address expects; undefined for other addresses. */
export const formatOfAddress = (url: string): WebhookFormat | undefined =>
  messengers.find(([address]) => address.test(url))?.[1]

/** Replaces the fields of a template. `fieldText` returns the text of a field. */
export const fillTemplate = (template: string, fieldText: (name: string) => string): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => fieldText(name))

/** A text, escaped for use within a JSON string. */
export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Refuses a template with an unknown field, and a template of the format `json` that is not valid JSON. */
export function refuseTemplate(template: string, format: WebhookFormat | EmailFormat): Refusal | undefined {
  let unknown: string | undefined
  const sample = fillTemplate(template, name => {
    if (!(templateFields as readonly string[]).includes(name)) unknown ??= name
    return samples[name] ?? 'x'
  })
  if (unknown !== undefined) return unknownTemplateField(unknown, nearFields(unknown, templateFields))
  return format === 'json' && !isJson(sample) ? templateNotJson() : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

import { fillTemplate } from '../contract/webhook-format.js'
import type { Alert } from './alert.js'
import { type MessageFields, titleOf, usualText } from './webhook-content.js'

/** What an e-mail says. */
export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html?: string
}

const asIs = (text: string): string => text

/** The message of an alert as an e-mail; `body` is the message of the service. One in HTML has a text beside it. */
export function mailContent(
  { format = 'text', template }: NonNullable<Alert['email']>,
  body: string,
): MailContent {
  const fields: MessageFields = JSON.parse(body)
  const mark = fields.test ? 'Test: ' : ''
  const subject = mark + titleOf(fields)
  const filled = (encode: (text: string) => string) =>
    template === undefined
      ? usualText(fields, encode)
      : fillTemplate(template, name => encode(String(fields[name] ?? '')))
  if (format === 'text') return { subject, text: mark + filled(asIs) }
  const html =
    template === undefined ? `<p>${filled(escapeHtml).replaceAll('\n', '<br>')}</p>` : filled(escapeHtml)
  return { subject, text: mark + usualText(fields, asIs), html: `${mark && `<p>${mark}</p>`}${html}` }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as it stands in HTML, in the values of attributes, too. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, sign => entities[sign] as string)

import { createHash } from 'node:crypto'
import { fillTemplate } from '../contract/webhook-format.js'
import { isTimeout, withDeadline } from '../runtime/deadline.js'
import type { Alert } from './alert.js'
import { SilentReceiver, UnsendableMessage } from './webhook.js'
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

/** An e-mail of an alert. Its id is the same for each attempt to send it. */
export interface Mail extends MailContent {
  readonly id: string
  readonly to: string
}

/** Sends e-mail by the server of the settings. */
export interface Mailer {
  /** Whether an alert may send to an address. */
  maySendTo(address: string): boolean
  /**
   * Sends an e-mail once. Rejects where the server has not accepted it: with SilentReceiver where it does not answer in time, with
   * UnsendableMessage where it refuses the address for good.
   */
  send(mail: Mail, signal: AbortSignal): Promise<void>
}

interface Settings {
  readonly smtpUrl: string | undefined
  readonly smtpFrom: string | undefined
  /** Addresses, and domains with "@" before them. */
  readonly smtpRecipients: '*' | readonly string[]
  /** Milliseconds that the server has. */
  readonly timeoutMs?: number
}

/** Milliseconds that a server has to accept an e-mail. */
const mailTimeoutMs = 20_000

/** Undefined where no server is set. */
export function createMailer({
  smtpUrl: url,
  smtpFrom: from,
  smtpRecipients: recipients,
  timeoutMs = mailTimeoutMs,
}: Settings): Mailer | undefined {
  if (url === undefined || from === undefined) return undefined
  return {
    maySendTo(address) {
      if (recipients === '*') return true
      const given = address.toLowerCase()
      return recipients.some(each => given === each || (each.startsWith('@') && given.endsWith(each)))
    },
    send: (mail, signal) =>
      withDeadline(timeoutMs, signal, ending =>
        Promise.race([send(mail, { url, from, timeoutMs }), endOf(ending, timeoutMs)]),
      ),
  }
}

/** Rejects when an attempt is to end. What the server accepts after that arrives twice, under one id. */
const endOf = (ending: AbortSignal, timeoutMs: number): Promise<never> =>
  new Promise((_, reject) =>
    ending.addEventListener('abort', () => {
      const cause = ending.reason as Error
      reject(isTimeout(cause) ? new SilentReceiver(timeoutMs, { cause }) : cause)
    }),
  )

async function send(
  { id, to, subject, text, html }: Mail,
  { url, from, timeoutMs }: { readonly url: string; readonly from: string; readonly timeoutMs: number },
): Promise<void> {
  // Loaded for the first e-mail, because most services send none.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    ...{ url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  try {
    await transport.sendMail({
      from,
      to: { name: '', address: to },
      subject,
      text,
      ...(html !== undefined && { html }),
      // Readers show two e-mails with one id once. The id of an alert may have characters that this field may not have.
      messageId: `<${createHash('sha256').update(id).digest('hex').slice(0, 32)}@${from.slice(from.indexOf('@') + 1)}>`,
      // RFC 3834: mail systems send no automatic reply, such as an absence note, to such an e-mail.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Candela-Id': id },
    })
  } catch (error) {
    throw failureOf(error as NodeJS.ErrnoException & { readonly responseCode?: number }, timeoutMs)
  }
}

function failureOf(
  error: NodeJS.ErrnoException & { readonly responseCode?: number },
  timeoutMs: number,
): Error {
  if (error.code === 'ETIMEDOUT') return new SilentReceiver(timeoutMs, { cause: error })
  // RFC 5321, section 4.2.1: the same command is not to be repeated.
  if (error.code === 'EENVELOPE' && (error.responseCode ?? 0) >= 500) return new UnsendableMessage(error)
  return error
}

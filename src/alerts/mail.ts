import { createHash } from 'node:crypto'
import { isTimeout, withDeadline } from '../runtime/deadline.js'
import type { Alert } from './alert.js'
import { SilentReceiver, UnsendableMessage } from './webhook.js'
import { type MessageFields, messageText, titleOf } from './webhook-content.js'

export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html?: string
}

const asIs = (text: string): string => text

/** An alert's message as an e-mail; `body` is the service's JSON message. An HTML e-mail also has a text part. */
export function mailContent(
  { format = 'text', template }: NonNullable<Alert['email']>,
  body: string,
): MailContent {
  const fields: MessageFields = JSON.parse(body)
  const mark = fields.test ? 'Test: ' : ''
  const subject = mark + titleOf(fields)
  if (format === 'text') return { subject, text: mark + messageText(fields, template, asIs) }
  const filled = messageText(fields, template, escapeHtml)
  const html = template === undefined ? `<p>${filled.replaceAll('\n', '<br>')}</p>` : filled
  const text = mark + messageText(fields, undefined, asIs)
  return { subject, text, html: `${mark && `<p>${mark}</p>`}${html}` }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML, including attribute values. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, sign => entities[sign] as string)

/** An e-mail of an alert. Its id is equal for all attempts. */
export interface Mail extends MailContent {
  readonly id: string
  readonly to: string
}

export interface Mailer {
  maySendTo(address: string): boolean
  /**
   * Sends an e-mail once. Rejects if the server does not accept it: with SilentReceiver after a timeout, with
   * UnsendableMessage if the server permanently refuses the address.
   */
  send(mail: Mail, signal: AbortSignal): Promise<void>
}

interface Settings {
  readonly smtpUrl: string | undefined
  readonly smtpFrom: string | undefined
  /** Addresses, or domains with a leading "@". */
  readonly smtpRecipients: '*' | readonly string[]
  readonly timeoutMs?: number
}

/** Time for a server to accept an e-mail, in milliseconds. */
const mailTimeoutMs = 20_000

/** Creates the mailer; undefined if no server is configured. */
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

/** Rejects when an attempt must end. If the server accepts the e-mail later, it arrives twice with one id. */
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
      // Mail clients show e-mails with one id once. The alert's id may have characters that this field must not have.
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
  // RFC 5321, section 4.2.1: a client must not repeat the same command after a 5xx reply.
  if (error.code === 'EENVELOPE' && (error.responseCode ?? 0) >= 500) return new UnsendableMessage(error)
  return error
}

import { readShape } from '../contract/fields.js'
import type { JsonObject } from '../contract/json-value.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { alertShape } from '../contract/requests.js'
import {
  emailNotAllowed,
  emailOff,
  formatOfOther,
  formatWithoutWebhook,
  jsonWithoutTemplate,
  telegramWithoutChat,
  templateWithoutFormat,
  webhookAndEmail,
  webhookPrivate,
} from '../contract/screen-refusals.js'
import {
  type EmailFormat,
  emailFormats,
  formatOfAddress,
  refuseTemplate,
  type WebhookFormat,
  webhookFormats,
} from '../contract/webhook-format.js'
import { isPrivateHost } from './addresses.js'
import type { AlertRequest } from './alert.js'
import type { Mailer } from './mail.js'
import { chatOf } from './webhook-content.js'

/** Where alerts may send what they fire. */
export interface AllowedTargets {
  /** Whether webhooks may lead to loopback and private addresses. */
  readonly privateTargets: boolean
  /** Undefined where the service sends no e-mail. */
  readonly mail: Pick<Mailer, 'maySendTo'> | undefined
}

type Target = Pick<AlertRequest, 'webhookUrl' | 'webhookForm' | 'email'>

/** Reads where an alert sends what it fires, and in which form. */
export function readTarget(given: JsonObject, { privateTargets, mail }: AllowedTargets): Target | Refusal {
  const read = readShape(alertShape(), given, ['webhook', 'email', 'format', 'template'])
  if (isRefusal(read)) return read
  const { webhook, email, format, template } = read
  if (webhook && email !== undefined) return webhookAndEmail()
  if (email !== undefined) {
    if (!mail) return emailOff()
    if (!mail.maySendTo(email)) return emailNotAllowed(email)
    const form = emailForm(format, template)
    return isRefusal(form) ? form : { webhookUrl: undefined, email: { to: email, ...form } }
  }
  if (!webhook) {
    const name = format === undefined ? template && 'template' : 'format'
    return name === undefined ? { webhookUrl: undefined } : formatWithoutWebhook(name)
  }
  if (!privateTargets && isPrivateHost(webhook)) return webhookPrivate(webhook.hostname)
  const webhookForm = formOfWebhook(format, template, webhook.href)
  if (isRefusal(webhookForm)) return webhookForm
  return { webhookUrl: webhook.href, ...(webhookForm && { webhookForm }) }
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

function emailForm(
  format: string | undefined,
  template: string | undefined,
): Omit<NonNullable<AlertRequest['email']>, 'to'> | Refusal {
  if (format !== undefined && !isOneOf(emailFormats, format))
    return formatOfOther(format, 'email', emailFormats)
  const refusal = template === undefined ? undefined : refuseTemplate(template, format ?? 'text')
  return refusal ?? formOf(format, template)
}

function formOfWebhook(
  named: string | undefined,
  template: string | undefined,
  url: string,
): AlertRequest['webhookForm'] | Refusal {
  if (named !== undefined && !isOneOf(webhookFormats, named))
    return formatOfOther(named, 'webhook', webhookFormats)
  const format = named ?? formatOfAddress(url)
  if (template !== undefined) {
    if (format === undefined || format === 'candela')
      return templateWithoutFormat(webhookFormats.filter(each => each !== 'candela'))
    const refusal = refuseTemplate(template, format)
    if (refusal) return refusal
  } else if (format === 'json') return jsonWithoutTemplate()
  if (format === 'telegram' && !chatOf(url)) return telegramWithoutChat()
  return formOf(format, template)
}

const formOf = <Format extends WebhookFormat | EmailFormat>(
  format: Format | undefined,
  template: string | undefined,
) => ({ ...(format !== undefined && { format }), ...(template !== undefined && { template }) })

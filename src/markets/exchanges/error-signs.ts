import type { FailureReason } from './source.js'

/** What stands in the message or code of an error of Node or undici; ccxt repeats messages and drops causes. */
const connectionSigns: readonly (readonly [RegExp, FailureReason])[] = [
  [/ENOTFOUND|EAI_[A-Z]+/, 'name-not-resolved'],
  [/ECONNREFUSED/, 'connection-refused'],
  [
    /ECONNRESET|EPIPE|UND_ERR_SOCKET|other side closed|socket hang up|the reply broke off/,
    'connection-broken',
  ],
  [/ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT/, 'timed-out'],
]

/** Why a connection failed, as far as its error and the causes of it say it. */
export function connectionReason(error: unknown): FailureReason {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    const text = `${(each as NodeJS.ErrnoException).code ?? ''} ${each.message}`
    const found = connectionSigns.find(([sign]) => sign.test(text))
    if (found) return found[1]
  }
  return 'unreachable'
}

/** What exchanges and the networks before them say where they do not serve a country. */
const placeSigns =
  /restricted (location|country|region|jurisdiction)|block access from your country|(not available|unavailable|prohibited|forbidden) (in|from) your (country|region|location)/i

/** Whether an exchange refuses the country or network that a request came from, by the status and the text of its response. */
export const isPlaceRefused = (status: number, text: string): boolean =>
  status === 451 || placeSigns.test(text)

const codeFields = ['code', 'retCode', 'ret_code', 'err_code', 'errno', 'error', 'err-code'] as const
const maxCodeLength = 60

/** An exchange's own code in a text with a JSON body, such as `-1003` or `EGeneral:Invalid arguments`; empty where there is none. */
export function exchangeCodeOf(text: string): string {
  const at = text.indexOf('{')
  if (at < 0) return ''
  try {
    const body: unknown = JSON.parse(text.slice(at, text.lastIndexOf('}') + 1))
    return codeIn(body).slice(0, maxCodeLength)
  } catch {
    return ''
  }
}

function codeIn(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'string') return String(value)
  if (Array.isArray(value)) return codeIn(value[0])
  if (typeof value !== 'object' || value === null) return ''
  for (const field of codeFields) {
    const code = codeIn((value as Record<string, unknown>)[field])
    if (code !== '') return code
  }
  return ''
}

import { malformedQuery, type Refusal, repeatedParameter } from './refusals.js'

/** Reads a query string (without the question mark) into fields; a repeated name is refused. */
export function readQueryString(queryString: string): Map<string, string> | Refusal {
  const fields = new Map<string, string>()
  if (queryString === '') return fields
  for (const pair of queryString.split('&')) {
    if (pair === '') continue
    const cut = pair.indexOf('=')
    const name = decode(cut < 0 ? pair : pair.slice(0, cut))
    const value = cut < 0 ? '' : decode(pair.slice(cut + 1))
    if (name === undefined || value === undefined) return malformedQuery()
    if (fields.has(name)) return repeatedParameter(name.slice(0, 60))
    fields.set(name, value)
  }
  return fields
}

/** Texts without an escape. */
const plain = /^[\w.~:,/-]*$/

function decode(text: string): string | undefined {
  if (plain.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

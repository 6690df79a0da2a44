import { malformedQuery, type Refusal, repeatedParameter } from './refusals.js'

/** Reads a query string (without the question mark) into fields; a repeated name is refused. */
export function readQueryString(queryString: string): Map<string, string> | Refusal {
  const fields = new Map<string, string>()
  const isPlain = !queryString.includes('%') && !queryString.includes('+')
  const { length } = queryString
  // Without `split`, whose arrays cost more than all the rest.
  for (let start = 0, end = 0; start < length; start = end + 1) {
    end = endOf(queryString, '&', start, length)
    if (end === start) continue
    const cut = endOf(queryString, '=', start, end)
    const name = decode(queryString.slice(start, cut), isPlain)
    const value = cut === end ? '' : decode(queryString.slice(cut + 1, end), isPlain)
    if (name === undefined || value === undefined) return malformedQuery()
    if (fields.has(name)) return repeatedParameter(name.slice(0, 60))
    fields.set(name, value)
  }
  return fields
}

/** Where a character stands next in a text, at most at `end`. */
function endOf(text: string, character: string, start: number, end: number): number {
  const at = text.indexOf(character, start)
  return at < 0 || at > end ? end : at
}

function decode(text: string, isPlain: boolean): string | undefined {
  if (isPlain) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

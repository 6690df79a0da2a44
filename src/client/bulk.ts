import { allowedConstructs, CandelaError } from './errors.js'
import type { HttpClient, RangeOptions } from './http.js'

/** Maximum number of constructs per request, whatever the plan. */
const maxConstructs = 20
/** Maximum number of indicators per construct. */
const maxIndicators = 20

interface Construct {
  readonly id: string
  readonly indicators: readonly { readonly id: string }[]
}
type Results = Record<string, Readonly<Record<string, unknown>>>

interface BulkOptions extends RangeOptions {
  readonly verbose?: boolean | undefined
}

/** Sends bulk requests. Divides each one into as many requests as the plan of the key needs. */
export class BulkClient {
  /** Number of constructs that the plan allows. Learned from refusals. */
  #planConstructs = maxConstructs

  constructor(private readonly http: HttpClient) {}

  /** Returns the results by construct id, in the order of the constructs. */
  async send(
    path: string,
    constructs: readonly Construct[],
    { verbose, signal, onProgress }: BulkOptions,
  ): Promise<Results> {
    // Not an object, because the id `__proto__` would not become a property.
    const results = new Map<string, Results[string]>()
    let rest = constructs.flatMap(divide)
    const total = rest.length
    do {
      const parts = firstRequest(rest, this.#planConstructs)
      if (parts.length < rest.length) refuseDuplicates(constructs)
      try {
        const body = { constructs: parts.map(({ construct }) => construct), verbose }
        for (const [id, result] of Object.entries(await this.http.send<Results>({ path, body, signal })))
          results.set(id, { ...results.get(id), ...result })
        rest = rest.filter(part => !parts.includes(part))
        if (rest.length > 0) onProgress?.({ done: total - rest.length, total })
      } catch (error) {
        const allowed = allowedConstructs(error)
        if (!allowed || allowed >= parts.length) throw error
        this.#planConstructs = allowed
      }
    } while (rest.length > 0)
    return Object.fromEntries(results)
  }
}

/** A construct with at most the maximum number of indicators. */
interface Part {
  readonly construct: Construct
  /** Index of the original construct in the request. */
  readonly place: number
}

/** Divides a construct with too many indicators. Leaves an invalid value unchanged, because the service refuses it. */
function divide(whole: Construct, place: number): readonly Part[] {
  const indicators = whole?.indicators
  if (!Array.isArray(indicators) || indicators.length <= maxIndicators) return [{ construct: whole, place }]
  const count = Math.ceil(indicators.length / maxIndicators)
  return Array.from({ length: count }, (_, at) => ({
    construct: { ...whole, indicators: indicators.slice(at * maxIndicators, (at + 1) * maxIndicators) },
    place,
  }))
}

/**
 * Parts for the next request. Parts of the same construct go into different requests, because a request may have a
 * market only once.
 */
function firstRequest(parts: readonly Part[], most: number): readonly Part[] {
  const first = new Map<number, Part>()
  for (const part of parts) {
    if (first.size === most) break
    if (!first.has(part.place)) first.set(part.place, part)
  }
  return [...first.values()]
}

/** Refuses duplicate ids, as the service does. The service cannot detect them if they are in different requests. */
function refuseDuplicates(constructs: readonly Construct[]): void {
  const ids = new Set<string>()
  for (const { id, indicators } of constructs) {
    if (ids.has(id)) {
      const message = `Duplicate construct id "${id}". Construct ids must be unique within the request.`
      throw new CandelaError(message, 400)
    }
    ids.add(id)
    const inner = new Set<string>()
    for (const indicator of indicators) {
      if (inner.has(indicator.id)) {
        const message = `Construct "${id}" has duplicate indicator id "${indicator.id}". Indicator ids must be unique within a construct.`
        throw new CandelaError(message, 400)
      }
      inner.add(indicator.id)
    }
  }
}

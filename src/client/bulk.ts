import { allowedConstructs, CandelaError } from './errors.js'
import type { HttpClient } from './http.js'

/** The most constructs that one request may have with any plan. */
const maxConstructs = 20
/** The indicators that one construct may have. */
const maxIndicators = 20

interface Construct {
  readonly id: string
  readonly indicators: readonly { readonly id: string }[]
}
type Results = Record<string, Readonly<Record<string, unknown>>>

interface BulkOptions {
  readonly verbose?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** Sends bulk requests, each divided into as many as the plan of the key needs. */
export class BulkClient {
  /** How many constructs the plan allows, as far as replies have shown. */
  #planConstructs = maxConstructs

  constructor(private readonly http: HttpClient) {}

  /** The results of all constructs by their ids, in the order of the constructs. */
  async send(
    path: string,
    constructs: readonly Construct[],
    { verbose, signal }: BulkOptions,
  ): Promise<Results> {
    // Not an object, for which `__proto__` is no id like others.
    const results = new Map<string, Results[string]>()
    let rest = constructs.flatMap(divide)
    do {
      const parts = firstRequest(rest, this.#planConstructs)
      if (parts.length < rest.length) refuseDuplicates(constructs)
      try {
        const body = { constructs: parts.map(({ construct }) => construct), verbose }
        for (const [id, result] of Object.entries(await this.http.send<Results>({ path, body, signal })))
          results.set(id, { ...results.get(id), ...result })
        rest = rest.filter(part => !parts.includes(part))
      } catch (error) {
        const allowed = allowedConstructs(error)
        if (!allowed || allowed >= parts.length) throw error
        this.#planConstructs = allowed
      }
    } while (rest.length > 0)
    return Object.fromEntries(results)
  }
}

/** A construct with as many indicators as one may have. */
interface Part {
  readonly construct: Construct
  /** The place of the construct that it is a part of. */
  readonly place: number
}

/** A value that is no construct is sent as it is: the service refuses it. */
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
 * The parts for the next request. Those of one construct go into different requests, because a request may have a market
 * only once.
 */
function firstRequest(parts: readonly Part[], most: number): readonly Part[] {
  const first = new Map<number, Part>()
  for (const part of parts) {
    if (first.size === most) break
    if (!first.has(part.place)) first.set(part.place, part)
  }
  return [...first.values()]
}

/** What the service refuses in one request is refused as well where each of several has only one of the two. */
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

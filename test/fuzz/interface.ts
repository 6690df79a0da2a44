import type { Description } from '../../src/catalogue/description.js'
import { documentedPathOf } from '../support/documented-path.js'

/** One route of the OpenAPI document. */
export interface DocumentedRoute {
  readonly method: string
  /** With its variables in braces. */
  readonly path: string
  readonly statuses: ReadonlySet<number>
}

/** Interface as a running service describes it. The cases are made from it. */
export interface Interface {
  readonly indicators: readonly Description[]
  readonly routes: readonly DocumentedRoute[]
  /** Routes per path. */
  readonly byPath: ReadonlyMap<string, readonly DocumentedRoute[]>
}

interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>
}

/** The routes of a path. */
const routesOf = ({ byPath }: Interface, path: string): readonly DocumentedRoute[] =>
  byPath.get(documentedPathOf(byPath.keys(), path) ?? '') ?? []

export function readInterface(indicators: readonly Description[], { paths }: OpenapiDocument): Interface {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path,
      statuses: new Set(Object.keys(responses).map(Number)),
    })),
  )
  const byPath = new Map<string, DocumentedRoute[]>()
  for (const route of routes) {
    byPath.set(route.path, [...(byPath.get(route.path) ?? []), route])
  }
  return { indicators, routes, byPath }
}

/** The statuses of a method that a path does not have, of a path that there is not, and of an unknown indicator. */
const undocumentedStatuses = (path: string, isKnown: boolean): ReadonlySet<number> =>
  new Set(isKnown ? [404, 405] : path.startsWith('/indicator/') ? [400, 401, 404, 405, 413, 415] : [404])

/** Fault of a reply that does not match the OpenAPI document; undefined for a correct reply. */
export function faultOf(
  served: Interface,
  { method, path }: { readonly method: string; readonly path: string },
  { status, body }: { readonly status: number; readonly body: string },
): string | undefined {
  const plain = path.split('?')[0] as string
  // A long head is refused before its path is read.
  if (status === 431 && path.length > 3_000) return undefined
  const known = routesOf(served, plain)
  const route = known.find(each => each.method === method)
  const statuses = route?.statuses ?? undocumentedStatuses(plain, known.length > 0)
  if (!statuses.has(status))
    return `the status ${status} is not documented for ${method} ${plain.slice(0, 80)}`
  // A message without an id wants no answer.
  if (plain === '/mcp' && status === 202 && body === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return `the body is not JSON: ${body.slice(0, 200)}`
  }
  const { error } = (value ?? {}) as { error?: string | { readonly message?: string } }
  // That of the protocol for language models has a code and a message.
  if (
    status >= 400 &&
    typeof (plain === '/mcp' && typeof error === 'object' ? error.message : error) !== 'string'
  )
    return `the error has no text: ${body.slice(0, 200)}`
  return status === 200 && /^\/(indicator\/|bulk)/.test(plain) ? unevenArrays(value) : undefined
}

/** Text that names two arrays of one answer with different lengths; undefined if there are none. */
function unevenArrays(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value)
  const timestamp = (value as { timestamp?: unknown }).timestamp
  if (Array.isArray(timestamp))
    for (const [name, list] of entries)
      if (Array.isArray(list) && list.length !== timestamp.length)
        return `${name} has ${list.length} values, timestamp ${timestamp.length}`
  for (const [, inner] of entries) {
    const fault = unevenArrays(inner)
    if (fault !== undefined) return fault
  }
  return undefined
}

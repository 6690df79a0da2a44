/** One segment of the path may be a variable, written `{name}`. */
interface Row {
  readonly method: string
  readonly path: string
}

/** A path of the table with the routes of its methods. */
interface RoutePath<Route> {
  readonly path: string
  /** By method in lower case, in the order of the table. */
  readonly methods: Map<string, Route>
  /** The value of the header `Allow`. */
  readonly allow: string
}

interface RouteMatch<Route> {
  readonly path: RoutePath<Route>
  /** The decoded variable of the path: empty where it has none, undefined where it cannot be decoded. */
  readonly segment: string | undefined
}

/** The methods that are answered: HEAD is answered as GET is (RFC 9110, section 9.3.2). */
const allowOf = (methods: readonly string[]): string =>
  methods
    .flatMap(method => (method === 'get' ? ['get', 'head'] : [method]))
    .join(', ')
    .toUpperCase()

/** A path with a variable: what stands before it and behind it. */
type VariablePath<Route> = readonly [before: string, behind: string, path: RoutePath<Route>]

/** Finds the routes of a request's path. */
export class RouteMatcher<Route extends Row> {
  readonly #fixed = new Map<string, RouteMatch<Route>>()
  /** Paths with a variable, by their first segment with its slashes, as `/indicator/`. */
  readonly #variable = new Map<string, VariablePath<Route>[]>()

  constructor(routes: readonly Route[]) {
    for (const path of new Set(routes.map(route => route.path))) {
      const methods = new Map(routes.flatMap(route => (route.path === path ? [[route.method, route]] : [])))
      const found = { path, methods, allow: allowOf([...methods.keys()]) }
      const [before = '', behind] = path.split(/\{\w+\}/)
      if (behind === undefined) this.#fixed.set(path, { path: found, segment: '' })
      else {
        const first = path.slice(0, path.indexOf('/', 1) + 1)
        this.#variable.set(first, [...(this.#variable.get(first) ?? []), [before, behind, found]])
      }
    }
  }

  /** The routes of a path; undefined where the table has no such path. */
  match(path: string): RouteMatch<Route> | undefined {
    const fixed = this.#fixed.get(path)
    if (fixed) return fixed
    for (const [before, behind, found] of this.#variable.get(path.slice(0, path.indexOf('/', 1) + 1)) ?? []) {
      if (!path.startsWith(before) || !path.endsWith(behind)) continue
      const text = path.slice(before.length, path.length - behind.length)
      if (text !== '' && !text.includes('/'))
        return { path: found, segment: text.includes('%') ? decode(text) : text }
    }
    return undefined
  }
}

/** A decoded segment of a path, or undefined where it has a wrong escape. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

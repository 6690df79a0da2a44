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

/** Paths whose match is remembered, and the longest one. */
const maxRemembered = 1_000
const maxLength = 100

/** Finds the routes of a request's path. */
export class RouteMatcher<Route extends Row> {
  readonly #fixed = new Map<string, RouteMatch<Route>>()
  /** Paths with a variable that were matched before: to compare one with the table takes several times as long. */
  readonly #remembered = new Map<string, RouteMatch<Route>>()
  /** The paths with a variable, and what stands before and behind it. */
  readonly #variable: (readonly [before: string, behind: string, path: RoutePath<Route>])[] = []

  constructor(routes: readonly Route[]) {
    for (const path of new Set(routes.map(route => route.path))) {
      const methods = new Map(routes.flatMap(route => (route.path === path ? [[route.method, route]] : [])))
      const found = { path, methods, allow: allowOf([...methods.keys()]) }
      const [before = '', behind] = path.split(/\{\w+\}/)
      if (behind === undefined) this.#fixed.set(path, { path: found, segment: '' })
      else this.#variable.push([before, behind, found])
    }
  }

  /** The routes of a path; undefined where the table has no such path. */
  match(path: string): RouteMatch<Route> | undefined {
    const known = this.#remembered.get(path) ?? this.#fixed.get(path)
    if (known) return known
    const found = this.#find(path)
    if (found && path.length <= maxLength) {
      // Any text may stand in the place of a variable.
      if (this.#remembered.size >= maxRemembered) this.#remembered.clear()
      this.#remembered.set(path, found)
    }
    return found
  }

  #find(path: string): RouteMatch<Route> | undefined {
    for (const [before, behind, found] of this.#variable) {
      if (!path.startsWith(before) || !path.endsWith(behind)) continue
      const text = path.slice(before.length, path.length - behind.length)
      if (text !== '' && !text.includes('/')) return { path: found, segment: decode(text) }
    }
    return undefined
  }
}

/** A decoded segment of a path, or undefined where it has a wrong escape. */
function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

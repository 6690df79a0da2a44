/** One segment of the path may be a variable, written `{name}`. */
interface Row {
  readonly method: string
  readonly path: string
}

/** A path of the table with the routes of its methods. */
export interface RoutePath<Route> {
  readonly path: string
  /** By method in lower case, in the order of the table. */
  readonly methods: Map<string, Route>
  /** The value of the header `Allow`. */
  allow: string
}

export interface RouteMatch<Route> {
  readonly path: RoutePath<Route>
  /** The decoded variable of the path: empty where it has none, undefined where it cannot be decoded. */
  readonly segment: string | undefined
}

/** A path with a variable: the text before and after it. */
interface Pattern<Route> {
  readonly prefix: string
  readonly suffix: string
  readonly path: RoutePath<Route>
}

/** The methods that are answered: HEAD is answered as GET is (RFC 9110, section 9.3.2). */
const allowOf = (methods: readonly string[]): string =>
  methods
    .flatMap(method => (method === 'get' ? ['get', 'head'] : [method]))
    .join(', ')
    .toUpperCase()

/** Finds the routes of a request's path. */
export class RouteMatcher<Route extends Row> {
  readonly #fixed = new Map<string, RouteMatch<Route>>()
  readonly #patterns: Pattern<Route>[] = []

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const routePath = this.#pathOf(route.path)
      routePath.methods.set(route.method, route)
      routePath.allow = allowOf([...routePath.methods.keys()])
    }
  }

  /** The routes of a path; undefined where the table has no such path. */
  match(path: string): RouteMatch<Route> | undefined {
    const fixed = this.#fixed.get(path)
    if (fixed) return fixed
    const pattern = this.#patternOf(path)
    if (!pattern) return undefined
    const text = path.slice(pattern.prefix.length, path.length - pattern.suffix.length)
    return { path: pattern.path, segment: decode(text) }
  }

  #patternOf(path: string): Pattern<Route> | undefined {
    for (const pattern of this.#patterns) {
      const { prefix, suffix } = pattern
      if (!path.startsWith(prefix) || !path.endsWith(suffix)) continue
      const end = path.length - suffix.length
      const slash = path.indexOf('/', prefix.length)
      if (end > prefix.length && (slash < 0 || slash >= end)) return pattern
    }
    return undefined
  }

  #pathOf(path: string): RoutePath<Route> {
    const existing =
      this.#fixed.get(path)?.path ?? this.#patterns.find(other => other.path.path === path)?.path
    if (existing) return existing
    const created = { path, methods: new Map<string, Route>(), allow: '' }
    const variable = /\{\w+\}/.exec(path)
    if (!variable) this.#fixed.set(path, { path: created, segment: '' })
    else
      this.#patterns.push({
        prefix: path.slice(0, variable.index),
        suffix: path.slice(variable.index + variable[0].length),
        path: created,
      })
    return created
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

/** One segment of the path may be a variable, written `{name}`. */
interface Row {
  readonly method: string
  readonly path: string
}

interface RoutePath<Route> {
  readonly path: string
  /** Routes by method in lower case, in the order of the table. */
  readonly methods: Map<string, Route>
  /** The value of the header `Allow`. */
  readonly allow: string
}

interface RouteMatch<Route> {
  readonly path: RoutePath<Route>
  /** Decoded variable of the path: empty if the path has none, undefined if it cannot be decoded. */
  readonly segment: string | undefined
}

/** Value of the header `Allow` for methods. HEAD is answered like GET (RFC 9110, section 9.3.2). */
const allowOf = (methods: readonly string[]): string =>
  methods
    .flatMap(method => (method === 'get' ? ['get', 'head'] : [method]))
    .join(', ')
    .toUpperCase()

/** A path with a variable: the text before it and the text after it. */
type VariablePath<Route> = readonly [before: string, behind: string, path: RoutePath<Route>]

/** Finds the routes of a request's path. */
export class RouteMatcher<Route extends Row> {
  /** Matches of whole paths: those without a variable, and usual ones. */
  readonly #fixed = new Map<string, RouteMatch<Route>>()
  /** Paths with a variable, by their first segment with its slashes, as `/indicator/`. */
  readonly #variable = new Map<string, VariablePath<Route>[]>()

  /** The matches of the `usual` paths are found first. */
  constructor(routes: readonly Route[], usual: readonly string[] = []) {
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
    for (const path of usual) {
      const found = this.match(path)
      if (found) this.#fixed.set(path, found)
    }
  }

  /** Routes of a path; undefined if the table has no such path. */
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

/** Decodes a segment of a path; undefined if it has a wrong escape. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

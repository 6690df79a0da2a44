/**
 * The path of the OpenAPI document for the path of a request: the path itself, or one with variables in braces; undefined
 * without one.
 */
export function documentedPathOf(paths: Iterable<string>, path: string): string | undefined {
  let variable: string | undefined
  for (const documented of paths) {
    if (documented === path) return path
    if (documented.includes('{') && patternOf(documented).test(path)) variable = documented
  }
  return variable
}

const patterns = new Map<string, RegExp>()

function patternOf(documented: string): RegExp {
  const pattern = patterns.get(documented) ?? new RegExp(`^${documented.replace(/\{\w+\}/g, '[^/]+')}$`)
  patterns.set(documented, pattern)
  return pattern
}

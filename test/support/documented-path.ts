/** The path of the OpenAPI document that a path of a request is: itself, or one with variables in braces; undefined where there is none. */
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

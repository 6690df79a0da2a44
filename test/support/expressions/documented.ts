import { documentAt } from '../documents.js'

/** The worked examples of docs/expressions.md. */
export function documentedExpressions(): readonly string[] {
  const { text } = documentAt('docs/expressions.md')
  const section = text.slice(text.indexOf('## Ten examples'), text.indexOf('## Values'))
  const found = [...section.matchAll(/^\| `(.+)` \| .*\|$/gm)].map(([, expression]) => expression as string)
  if (found.length !== 10) throw new Error(`there are ${found.length} examples`)
  return found
}

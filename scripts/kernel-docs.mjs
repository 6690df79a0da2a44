// Definitions of indicators from the docstrings of their kernels.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const kernels = fileURLToPath(new URL('../assembly/kernels', import.meta.url))

/** The text of every kernel's file, by the indicator's name. */
const texts = new Map(
  readdirSync(kernels, { recursive: true })
    .filter(path => path.endsWith('.ts'))
    .map(path => [path.split(/[\\/]/).at(-1).slice(0, -3), readFileSync(join(kernels, path), 'utf8')]),
)

/**
 * The definition in the docstring of a kernel: its sentences in paragraphs, and the source. A line that ends with a full
 * stop ends a paragraph. Undefined without a definition or a source.
 */
export function readDocstring(name) {
  const text = texts.get(name) ?? ''
  const kernel = /^\d/.test(name) ? `_${name}` : name
  // A reserved word is the name of the export only.
  const own = new RegExp(`export { (\\w+) as ${kernel} }`).exec(text)?.[1] ?? kernel
  const before = text.split(new RegExp(`(?:export )?function ${own}\\(`))[0]
  const lines = (/\*\/\s*$/.test(before) ? before.slice(before.lastIndexOf('/**') + 3, -1) : '')
    .split('\n')
    .map(line => line.replace(/^\s*\*\/?/, '').trim())
    .filter(line => line !== '')
  const at = lines.findIndex(line => line.startsWith('Source: '))
  if (at < 1) return undefined
  const paragraphs = []
  let ended = true
  for (const line of lines.slice(0, at)) {
    if (ended) paragraphs.push(line)
    else paragraphs[paragraphs.length - 1] += ` ${line}`
    ended = line.endsWith('.')
  }
  return { paragraphs, source: lines.slice(at).join(' ').slice('Source: '.length) }
}

/** The definitions of all indicators, by name. */
export const docstrings = Object.fromEntries(
  [...texts.keys()].flatMap(name => {
    const said = readDocstring(name)
    return said ? [[name, { definition: said.paragraphs, source: said.source }]] : []
  }),
)

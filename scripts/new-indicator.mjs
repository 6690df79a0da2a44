// Writes the skeletons of a new indicator: kernel, catalogue entry and definition. They are complete: the skeleton
// calculates the change of the close over `period` candles, so that it can be built and tested before it is changed.
//
//   node scripts/new-indicator.mjs <name> --family momentum/rates-of-change
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { exportOf, families, writeCatalogueIndex } from './catalogue-index.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = new Map(families())

function fail(message) {
  console.error(message)
  process.exit(1)
}

const usage = 'usage: npm run new:indicator <name> -- --family <category>/<family>'
const { values, positionals } = parseArgs({ allowPositionals: true, options: { family: { type: 'string' } } })
const [name] = positionals
if (positionals.length !== 1) fail(usage)
if (!/^[a-z][a-z0-9_]*$/.test(name))
  fail(`'${name}' is no name: lower-case letters, digits and underscores, a letter first`)
const [category, family] = values.family?.split('/') ?? []
if (!folders.has(category)) fail(`${usage}\ncategories: ${[...folders.keys()].join(', ')}`)
if (!/^[a-z]+(-[a-z]+)*$/.test(family ?? ''))
  fail(`${usage}\nfamilies of ${category}: ${folders.get(category).join(', ')}; another name begins a family`)
const kernelFiles = readdirSync(join(root, 'assembly', 'kernels'), { recursive: true })
if (kernelFiles.some(path => path.split(/[\\/]/).at(-1) === `${name}.ts`))
  fail(`there is an indicator '${name}' already`)

const kernel = `assembly/kernels/${category}/${name}.ts`
const entry = `src/catalogue/${category}/${family}.ts`
const definition = `test/vectors/definitions/${name}.js`
if (existsSync(join(root, definition))) fail(`${definition} exists already`)

const kernelText = `import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * TODO title: the formula in words, here the change of the value over \`period\` candles.
 * Source: TODO where the formula was taken from.
 */
export function ${name}(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  for (let i = warmup(out, from, to, period); i < to; i++) out[i] = x[i] - x[i - period]
}
`

const entryText = `  ${name}: indicator({
    title: 'TODO title',
    description: 'TODO what it shows, how it is read and where it is weak.',
    related: ['TODO'],
    inputs: ['close'],
    params: { period: period(14, 1) },
    outputs: ['value'],
    degree: [1, 0],
    lookback: p => p.period,
    memory: 'finite',
  }),
`

const definitionText = `/** TODO the formula, written in the plainest way. It shares nothing with the kernel. */
function ${name}({ close }, { period = 14 }) {
  return { value: close.map((price, i) => (i < period ? NaN : price - close[i - period])) }
}

/** The source, the function, and the cases: a market of test/vectors/markets and the parameters that are not the default. */
export const vectors = {
  ${name}: {
    source: 'definition: TODO where the formula was taken from',
    compute: ${name},
    cases: [
      ['volatile', {}],
      ['penny', { period: 1 }],
      ['daily', { period: 300 }],
    ],
  },
}
`

/** The file of the family with the entry as its last one, and with the imports that the entry needs. */
function withEntry(text) {
  const end = text.lastIndexOf('}')
  const line = /^import \{([^}]*)\} from '\.\.\/define\.js'\n/m.exec(text)
  const names = new Set([
    ...(line?.[1]
      .split(',')
      .map(each => each.trim())
      .filter(Boolean) ?? []),
    'indicator',
    'period',
  ])
  const imports = `import { ${[...names].sort().join(', ')} } from '../define.js'\n`
  const whole = `${text.slice(0, end)}${entryText}${text.slice(end)}`
  return line ? whole.replace(line[0], imports) : `${imports}\n${whole}`
}

const known = existsSync(join(root, entry))
const text = known ? readFileSync(join(root, entry), 'utf8') : `export const ${exportOf(family)} = {\n}\n`
writeFileSync(join(root, entry), withEntry(text))
writeFileSync(join(root, kernel), kernelText)
writeFileSync(join(root, definition), definitionText)
writeCatalogueIndex()

console.log(`written:
  ${kernel}   the kernel
  ${entry}   its entry, the last one
  ${definition}   the definition for its vector

next, as docs/add-an-indicator.md explains:
  1. put the formula into the definition, the kernel and the entry, and replace every TODO
  2. node scripts/vectors.mjs ${name}
  3. npm run kernel ${name}
  4. npm run build
  5. node scripts/docs-indicators.mjs`)

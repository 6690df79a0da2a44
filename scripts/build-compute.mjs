// Bundles the code that computes without a service: dist/library for programs in JavaScript, and for hosts of the kernels in
// other languages build/plans.js and build/definitions.json (docs/kernels.md).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { docstrings } from './kernel-docs.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Properties of catalogue entries that only people, pages, documents and the service read. */
const texts = new Set(
  'description related namesElsewhere scale drawing degree tier overlay memory results work'.split(' '),
)

/** Calls `visit` for every node of a syntax tree, but not for the parameters of entries, which may have the names of texts. */
function walk(node, visit) {
  if (typeof node !== 'object' || node === null) return
  if (typeof node.type === 'string') visit(node)
  if (node.type === 'Property' && node.key.name === 'params') return
  for (const inner of Object.values(node)) walk(inner, visit)
}

/** Removes the texts from the entries of the catalogue. */
const withoutTexts = {
  name: 'without-texts',
  transform: {
    filter: { id: /\/src\/catalogue\/\w+\/.*\.ts$/ },
    handler(code, _id, { magicString }) {
      walk(this.parse(code, { lang: 'ts' }), node => {
        if (node.type !== 'ObjectExpression') return
        for (const { type, key, end, start } of node.properties) {
          if (type !== 'Property' || !texts.has(key.name)) continue
          const comma = /^\s*,/.exec(code.slice(end))?.[0].length ?? 0
          magicString.remove(start, end + comma)
        }
      })
      return { code: magicString }
    },
  },
}

/** Bundles a file of src/compute/library, or the text of a module in that folder, into one script without imports. */
async function bundleScript(name, output, text) {
  const path = join(root, 'src', 'compute', 'library', `${name}.ts`)
  const given = {
    name: 'given-text',
    resolveId: id => (text !== undefined && id === path ? id : null),
    load: id => (text !== undefined && id === path ? text : null),
  }
  const bundle = await rolldown({
    cwd: root,
    platform: 'neutral',
    input: { [name]: path },
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    experimental: { nativeMagicString: true },
    plugins: [given, withoutTexts],
    treeshake: { moduleSideEffects: false, manualPureFunctions: ['once', 'named', 'z'] },
  })
  await bundle.write({ minify: true, ...output })
  await bundle.close()
}

const plans = join(root, 'build', 'plans.js')
await bundleScript('plans', { file: plans, format: 'iife', name: 'candela' })

const facts = JSON.parse(runInNewContext(`${readFileSync(plans, 'utf8')};candela.definitions()`))
const definitions = Object.entries(facts).map(([name, fact]) => [name, { ...docstrings[name], ...fact }])
writeFileSync(
  join(root, 'build', 'definitions.json'),
  `${JSON.stringify(Object.fromEntries(definitions.sort(([a], [b]) => (a < b ? -1 : 1))))}\n`,
)

const library = join(root, 'dist', 'library')
await bundleScript(
  'all',
  { file: join(library, 'core.js'), format: 'esm' },
  [
    "export { compute, expression, indicators } from './compute.js'",
    "export { load, setKernels } from './engine.js'",
    "export { live, restore } from './live.js'",
    "export { CandelaError } from '../../client/errors.js'",
  ].join('\n'),
)

/** The functions of indicators have the names of kernels. `var` is a word of the language. */
const names = Object.values(facts).map(({ kernel }) => kernel)
const plain = names.filter(name => name !== 'var')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const address = "new URL('../../build/kernels.wasm', import.meta.url)"
const own = ['CandelaError', 'compute', 'expression', 'live', 'load', 'restore']
const exported = `export { ${own.join(', ')} } from './core.js'
export const { ${plain.join(', ')} } = indicators
const { var: _var } = indicators
export { _var as var }
`
const declarations = [
  "import type { IndicatorFunction, Library } from '../compute/library/types.js'",
  "export { CandelaError } from '../client/errors.js'",
  "export type * from '../compute/library/types.js'",
  ...own.slice(1).map(name => `export declare const ${name}: Library['${name}']`),
  ...Object.entries(facts).map(
    ([name, { kernel }]) =>
      `${kernel === 'var' ? 'declare const _var' : `export declare const ${kernel}`}: IndicatorFunction<'${name}'>`,
  ),
  'export { _var as var }\n',
]
const entries = {
  'index.js': `import { readFileSync } from 'node:fs'
import { indicators, setKernels } from './core.js'
setKernels(() => readFileSync(${address}), '${version}')
${exported}`,
  'browser.js': `import { indicators, setKernels } from './core.js'
setKernels(${address}, '${version}')
${exported}`,
  'index.d.ts': declarations.join('\n'),
}
for (const [file, text] of Object.entries(entries)) writeFileSync(join(library, file), text)

// Bundles the code that computes without a service, and writes the facts of all indicators for hosts of the kernels in other
// languages (docs/kernels.md): build/plans.js and build/definitions.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { docstrings } from './kernel-docs.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Properties of catalogue entries that are read by people, pages and documents only. */
const texts = new Set(['description', 'related', 'namesElsewhere', 'scale', 'drawing', 'degree'])

/** Calls `visit` for every node of a syntax tree. */
function walk(node, visit) {
  if (typeof node !== 'object' || node === null) return
  if (typeof node.type === 'string') visit(node)
  for (const inner of Object.values(node)) walk(inner, visit)
}

/** Removes the texts from the entries of the catalogue. */
const withoutTexts = {
  name: 'without-texts',
  transform: {
    filter: { id: /\/src\/catalogue\/\w+\/.*\.ts$/ },
    handler(code, _id, { magicString }) {
      // Parameters may have the names of texts.
      const parameters = new Set()
      walk(this.parse(code, { lang: 'ts' }), node => {
        if (node.type !== 'ObjectExpression' || parameters.has(node)) return
        for (const { key, value } of node.properties) if (key?.name === 'params') parameters.add(value)
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

/** Bundles a file of src/compute/library into one script without imports. */
async function bundleScript(name, output) {
  const bundle = await rolldown({
    cwd: root,
    platform: 'neutral',
    input: { [name]: join(root, 'src', 'compute', 'library', `${name}.ts`) },
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    experimental: { nativeMagicString: true },
    plugins: [withoutTexts],
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

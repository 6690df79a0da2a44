// Writes the descriptions of the interface: build/openapi.json and build/asyncapi.json, and in build/reference the page at
// /docs, with Swagger UI from its package.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const build = join(root, 'build')
const reference = join(build, 'reference')

/** The functions of `interface/` that make the documents. They use the built service. */
async function loadInterface() {
  const built = path => pathToFileURL(join(root, 'dist', path)).href
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: 'documents',
    external: ['zod'],
    resolve: { extensionAlias: { '.js': ['.ts'] } },
    plugins: [
      {
        name: 'the built service',
        resolveId(id) {
          if (id === 'documents') return id
          return id.startsWith('../src/') ? { id: built(id.slice('../src/'.length)), external: true } : null
        },
        load: id =>
          id === 'documents'
            ? `export { describeStreaming } from ${JSON.stringify(join(root, 'interface', 'asyncapi.ts'))}
export { describeInterface } from ${JSON.stringify(join(root, 'interface', 'openapi.ts'))}`
            : null,
      },
    ],
  })
  const file = join(build, 'documents.mjs')
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
  return import(pathToFileURL(file).href)
}

const { describeInterface, describeStreaming } = await loadInterface()
writeFileSync(join(build, 'openapi.json'), JSON.stringify(describeInterface()))
writeFileSync(join(build, 'asyncapi.json'), JSON.stringify(describeStreaming()))

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
rmSync(reference, { recursive: true, force: true })
mkdirSync(reference, { recursive: true })
cpSync(join(root, 'reference'), reference, { recursive: true })
for (const name of [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
])
  cpSync(join(swaggerUi, name), join(reference, name))

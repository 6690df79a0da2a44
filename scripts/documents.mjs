// Writes what the service shows about its interface: build/openapi.json and build/asyncapi.json, and in build/reference
// the page at /docs, with Swagger UI from its package.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeStreaming } from '#dist/http/asyncapi/document.js'
import { describeInterface } from '#dist/http/openapi/document.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const build = join(root, 'build')
const reference = join(build, 'reference')

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

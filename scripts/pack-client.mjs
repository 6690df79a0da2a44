// Packs the TypeScript client as a package of its own, candela-client: `npm run pack:client`, or
// `node scripts/pack-client.mjs <folder>` for a tarball in another folder than build. Prints the path of the tarball.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = resolve(process.argv[2] ?? join(root, 'build'))
const dist = join(root, 'dist')
const staging = join(folder, 'candela-client')

/** A built file and all that it imports, by their paths; types import types. */
function closure(entry, extension) {
  const found = new Map()
  const open = [entry]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue
    const text = readFileSync(path, 'utf8').replace(/\/\/# sourceMappingURL=.*\n?$/, '')
    found.set(path, text)
    for (const [, specifier] of text.matchAll(/(?<!["'])\b(?:from|import)\s*\(?["']([^"']+)["']/g)) {
      if (!specifier.startsWith('.')) throw new Error(`${path} imports the package ${specifier}`)
      open.push(resolve(dirname(path), specifier.replace(/\.js$/, extension)))
    }
  }
  return found
}

const entry = join(dist, 'client', 'index')
const files = new Map([...closure(`${entry}.js`, '.js'), ...closure(`${entry}.d.ts`, '.d.ts')])
rmSync(staging, { recursive: true, force: true })
for (const [path, text] of files) {
  const target = join(staging, relative(dist, path))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}

const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const manifest = {
  name: 'candela-client',
  version,
  description: 'Client of Candela, a self-hosted service for technical-analysis indicators.',
  license,
  type: 'module',
  engines: { node: engines.node },
  sideEffects: false,
  exports: {
    '.': { types: './client/index.d.ts', default: './client/index.js' },
    './package.json': './package.json',
  },
  types: './client/index.d.ts',
}
writeFileSync(join(staging, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
copyFileSync(join(root, 'LICENSE'), join(staging, 'LICENSE'))
// The other pages are not in the package.
const page = readFileSync(join(root, 'docs', 'client.md'), 'utf8')
const readme = page
  .replaceAll('candela-ta/client', 'candela-client')
  .replaceAll(/\[([^\][]*)\]\([^()]*\)/g, '$1')
writeFileSync(join(staging, 'README.md'), readme)

const { status, stdout, stderr } = spawnSync(
  'npm',
  ['pack', staging, '--pack-destination', folder, '--json'],
  {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  },
)
if (status !== 0) {
  process.stderr.write(stderr)
  process.exit(1)
}
rmSync(staging, { recursive: true, force: true })
console.log(join(folder, JSON.parse(stdout)[0].filename))

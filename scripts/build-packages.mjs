// Writes dist/packages, which a service serves at /packages: the TypeScript client as a tarball, the Python client and the
// Python library as wheels. A wheel is an archive of the modules and of their metadata
// (packaging.python.org/specifications/binary-distribution-format), so that the build needs no Python.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zipSync } from 'fflate'
import { parse } from 'smol-toml'
import { create } from 'tar'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'dist', 'packages')

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

/** Writes the TypeScript client as a package of its own, without dependencies. */
async function writeClient() {
  const folder = join(target, 'package')
  const entry = join(root, 'dist', 'client', 'index')
  for (const [path, text] of [...closure(`${entry}.js`, '.js'), ...closure(`${entry}.d.ts`, '.d.ts')]) {
    const file = join(folder, relative(root, path))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
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
      '.': { types: './dist/client/index.d.ts', default: './dist/client/index.js' },
      './package.json': './package.json',
    },
    types: './dist/client/index.d.ts',
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  // The other pages are not in the package.
  const readme = readFileSync(join(root, 'docs', 'client.md'), 'utf8')
    .replaceAll('candela-ta/client', 'candela-client')
    .replaceAll(/\[([^\][]*)\]\([^()]*\)/g, '$1')
  writeFileSync(join(folder, 'README.md'), readme)
  const file = join(target, 'candela-client.tgz')
  await create({ cwd: target, file, gzip: true, portable: true, mtime: new Date(0) }, ['package'])
  rmSync(folder, { recursive: true })
}

/** The text of METADATA: the fields of pyproject.toml, and the readme. */
function metadataOf(project, readme) {
  const extras = Object.entries(project['optional-dependencies'] ?? {})
  const fields = [
    ['Metadata-Version', '2.4'],
    ['Name', project.name],
    ['Version', project.version],
    ['Summary', project.description],
    ['License-Expression', project.license],
    ...project.classifiers.map(classifier => ['Classifier', classifier]),
    ['Requires-Python', project['requires-python']],
    ...project.dependencies.map(each => ['Requires-Dist', each]),
    ...extras.flatMap(([name, packages]) => [
      ['Provides-Extra', name],
      ...packages.map(each => ['Requires-Dist', `${each}; extra == "${name}"`]),
    ]),
    ['Description-Content-Type', 'text/markdown'],
  ]
  return `${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${readme}`
}

/** Writes the wheel of a project with a package of the same name in `src`. */
function writeWheel(folder) {
  const { project } = parse(readFileSync(join(folder, 'pyproject.toml'), 'utf8'))
  const name = project.name.replaceAll('-', '_')
  const information = `${name}-${project.version}.dist-info`
  const modules = join(folder, 'src', name)
  const files = {
    ...Object.fromEntries(
      readdirSync(modules, { withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => [`${name}/${entry.name}`, readFileSync(join(modules, entry.name))]),
    ),
    [`${information}/METADATA`]: Buffer.from(
      metadataOf(project, readFileSync(join(folder, project.readme), 'utf8')),
    ),
    [`${information}/WHEEL`]: Buffer.from(
      'Wheel-Version: 1.0\nGenerator: candela\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    ),
  }
  const records = Object.entries(files).map(
    ([path, bytes]) =>
      `${path},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}\n`,
  )
  const record = `${information}/RECORD`
  const archive = zipSync(
    { ...files, [record]: Buffer.from(`${records.join('')}${record},,\n`) },
    { mtime: '1980-01-01' },
  )
  writeFileSync(join(target, `${name}-${project.version}-py3-none-any.whl`), archive)
}

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
await writeClient()
writeWheel(join(root, 'python'))
writeWheel(join(root, 'python', 'ta'))

// Bundles each program of the service over what the compiler has left in dist: dist/main.js, dist/cli/candela.js and the
// files that threads begin with. A program then loads a few files in the place of hundreds (docs/adr/0072-what-is-installed.md).
// All other files of dist stay: the client, the types, and the modules that tests and benches import one by one.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each file that a process or a thread begins with, by its path below src and dist. */
const programs = ['main', 'cli/candela', 'operate/compute-thread', 'markets/exchanges/worker/worker']

/** Packages that stay in node_modules: with native parts beside their code, with files of their own for threads, or very large. */
const external = ['ccxt', 'lmdb', 'piscina', 'uWebSockets.js']

/** The folders of the packages whose code is in a bundle; those of the page and of the help are in others. */
const bundledPackages = new Set(
  ['lightweight-charts', 'minisearch'].map(name => `${root}node_modules/${name}`),
)

/** What stands for `import.meta.url` until the chunk of its module is known. */
const urlMark = path => `"url of ${path}"`
const urlMarks = /"url of ([\w./-]+)"/g

/** A letter as a text or a regular expression may have it, in ASCII. */
const escaped = letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

const urlOf = (path, fileName) =>
  path === fileName
    ? 'import.meta.url'
    : `new URL(${JSON.stringify(relative(dirname(fileName), path))}, import.meta.url).href`

/** Lets `import.meta.url` be the address that the module has in dist, whichever file it is bundled into. */
const moduleUrls = {
  name: 'module-urls',
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: 'import.meta.url' },
    handler(_code, id, { magicString }) {
      magicString.replaceAll('import.meta.url', urlMark(relative(`${root}src`, id).replace(/ts$/, 'js')))
      return { code: magicString }
    },
  },
  /** Nothing moves to another line, so that the source maps stay right to the line. */
  renderChunk(code, { fileName }) {
    return { code: code.replace(urlMarks, (_mark, path) => urlOf(path, fileName)), map: null }
  },
}

/** Leaves out of a program what is another program, as `candela serve` loads the service. */
const otherPrograms = entry => ({
  name: 'other-programs',
  resolveId(specifier, importer) {
    if (importer === undefined || !specifier.startsWith('.')) return null
    const path = relative(`${root}src`, join(dirname(importer), specifier)).replace(/\.js$/, '')
    if (!programs.includes(path) || entry === `${root}src/${path}.ts`) return null
    // It is imported where it is used, thus in a file of chunks/<program>.
    return { id: `../../${path}.js`, external: true }
  },
})

/** The modules that a program loads at once, as far as they are bundled; not the program itself. */
function loadedAtOnce(program, context) {
  const found = new Set()
  const open = [program]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(imported) || imported === program) continue
      found.add(imported)
      open.push(imported)
    }
  }
  return found
}

/**
 * One bundle per program, because a program loads all of a file that it shares with another one. What a program loads at
 * once is one file beside it, not part of it: a file that it loads later, while it still waits at its top level, could
 * not import from it.
 */
async function bundleProgram(path) {
  const entry = `${root}src/${path}.ts`
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: { [path]: entry },
    external: external.map(name => new RegExp(`^${name.replaceAll('.', '\\.')}(/|$)`)),
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    experimental: { nativeMagicString: true },
    plugins: [otherPrograms(entry), moduleUrls],
  })
  let atOnce
  const { output } = await bundle.write({
    dir: 'dist',
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    chunkFileNames: `chunks/${path.replaceAll('/', '-')}/[name]-[hash].js`,
    codeSplitting: {
      groups: [
        {
          debugName: 'loaded at once',
          name(id, context) {
            atOnce ??= loadedAtOnce(entry, context)
            return atOnce.has(id) ? 'parts' : null
          },
        },
      ],
    },
  })
  await bundle.close()
  for (const { fileName, code, moduleIds } of output.filter(({ type }) => type === 'chunk')) {
    // One letter beyond ASCII makes the whole file take two bytes a letter in memory, and longer to read. The bundler itself
    // writes letters as they are.
    writeFileSync(join(root, 'dist', fileName), code.replace(/[^\0-\x7f]/g, escaped))
    for (const id of moduleIds) {
      const [folder] = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id) ?? []
      if (folder) bundledPackages.add(folder)
    }
  }
}

// The project in which the tests follow docs/add-an-indicator.md has no programs.
const present = programs.filter(path => existsSync(join(root, `src/${path}.ts`)))
await Promise.all(present.map(bundleProgram))

/** The licences of the packages that are bundled. The package of the service contains their code, and not them. */
function writeLicences() {
  const texts = [...bundledPackages].sort().map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const files = readdirSync(folder).filter(file => /^(licen[cs]e|notice)/i.test(file))
    const licences = files.map(file => readFileSync(join(folder, file), 'utf8').trim())
    return [`${name} ${version} (${license})`, ...licences].join('\n\n')
  })
  writeFileSync(join(root, 'dist', 'licences.txt'), `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
}
if (present.length > 0) writeLicences()

// Bundles each program of the service over what the compiler has left in dist: dist/main.js, dist/cli/candela.js and the
// files that threads begin with. A program then loads a few files instead of hundreds
// (docs/adr/0072-what-is-installed.md). All other files of dist stay: the client, the types, and the modules that tests
// and benches import one by one.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

/** First file of each process or thread, by its path below src and dist. */
const programs = ['main', 'cli/candela', 'operate/compute-thread', 'markets/exchanges/worker/worker']

/** Packages that stay in node_modules: with native parts, with files of their own for threads, or very large. */
const external = ['ccxt', 'lmdb', 'piscina', 'uWebSockets.js']

/** The folders of the packages whose code is in a bundle; those of the page and of the help are in others. */
const bundledPackages = new Set(
  ['lightweight-charts', 'minisearch'].map(name => `${root}node_modules/${name}`),
)

/** Placeholder of `import.meta.url` until the chunk of its module is known. */
const urlMark = path => `"url of ${path}"`
const urlMarks = /"url of ([\w./-]+)"/g

/** An ASCII escape of a letter that is valid in texts and regular expressions. */
const escaped = letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

const urlOf = (path, fileName) =>
  path === fileName
    ? 'import.meta.url'
    : `new URL(${JSON.stringify(relative(dirname(fileName), path))}, import.meta.url).href`

/** Keeps `import.meta.url` the address of the module in dist, whichever file it is bundled into. */
const moduleUrls = {
  name: 'module-urls',
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: 'import.meta.url' },
    handler(_code, id, { magicString }) {
      magicString.replaceAll('import.meta.url', urlMark(relative(`${root}src`, id).replace(/ts$/, 'js')))
      return { code: magicString }
    },
  },
  /** Replaces without moving lines, so that the source maps stay right to the line. */
  renderChunk(code, { fileName }) {
    return { code: code.replace(urlMarks, (_mark, path) => urlOf(path, fileName)), map: null }
  },
}

/** Excludes other programs from a bundle, as `candela serve` loads the service. */
const otherPrograms = entry => ({
  name: 'other-programs',
  resolveId(specifier, importer) {
    if (importer === undefined || !specifier.startsWith('.')) return null
    const path = relative(`${root}src`, join(dirname(importer), specifier)).replace(/\.js$/, '')
    if (!programs.includes(path) || entry === `${root}src/${path}.ts`) return null
    // It is imported by a file of chunks/<program>, hence the relative path.
    return { id: `../../${path}.js`, external: true }
  },
})

/** The bundled modules that a program loads at once, without the program itself. */
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
 * One bundle per program, because a program loads all of a file that it shares with another one. The modules that a program
 * loads at once are two files next to it, not part of it: a file that the program loads later, while it still waits at its top
 * level, could not import from the program. Packages are one of the two, so that stacks and profiles tell them from the service.
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
            if (!atOnce.has(id)) return null
            return id.includes('/node_modules/') ? 'packages' : 'parts'
          },
        },
      ],
    },
  })
  await bundle.close()
  for (const { fileName, code, moduleIds } of output.filter(({ type }) => type === 'chunk')) {
    // One letter beyond ASCII makes V8 store the whole file with two bytes a letter, and read it more slowly. The bundler
    // itself writes letters unchanged.
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

/** The licences of the bundled packages, whose code is in the package of the service. */
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

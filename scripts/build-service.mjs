// Bundles each program of the service over what the compiler has left in dist: dist/main.js, dist/cli/candela.js and the
// files that threads begin with. A program then loads a few files in the place of hundreds (docs/adr/0055-programs-are-bundles.md).
// All other files of dist stay: the client, the types, and the modules that tests and benches import one by one.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The service. Its bundle is no ES module, so that the compiled code can be stored beside it. */
const service = 'main'

/** Each file that a process or a thread begins with, by its path below src and dist. */
const programs = [service, 'cli/candela', 'compute/workers/worker', 'exchanges/worker/worker']

/** Packages that stay in node_modules: with native parts beside their code, with files of their own for threads, or very large. */
const external = ['ccxt', 'lmdb', 'piscina', 'uWebSockets.js']

/** The folders of the packages whose code is in a bundle; that of the page is in another one. */
const bundledPackages = new Set([`${root}node_modules/lightweight-charts`])

/** What stands for `import.meta.url` until the chunk of its module is known. */
const urlMark = path => `"url of ${path}"`
const urlMarks = /"url of ([\w./-]+)"/g

/** A letter as a text or a regular expression may have it, in ASCII. */
const escaped = letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Lets `import.meta.url` be the address that the module has in dist, whichever file it is bundled into. `urlOf` gives the
 * expression for a path below dist in a file of the bundle.
 */
const moduleUrls = urlOf => ({
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
})

const urlInModule = (path, fileName) =>
  path === fileName
    ? 'import.meta.url'
    : `new URL(${JSON.stringify(relative(dirname(fileName), path))}, import.meta.url).href`

/** In the bundle of the service: `distUrl` is the address of dist/main.js. */
const urlInService = path => `new URL(${JSON.stringify(path)}, distUrl).href`

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
 * LMDB and what it loads, which the bundle of the service contains, so that their compiled code is stored, too. They are a
 * file of their own, because one of them has an `eval`, which keeps V8 from optimising the scope that it is bundled into.
 */
const lmdbParts =
  /\/node_modules\/(lmdb|msgpackr|ordered-binary|weak-lru-cache|@harperfast\/extended-iterable|node-gyp-build-optional-packages|detect-libc)\//

/** Where LMDB looks for its native part. */
const lmdbUrl = 'require("node:url").pathToFileURL(require.resolve("lmdb")).href'

const lmdb = {
  name: 'lmdb',
  resolveId(specifier, importer) {
    // Without its native part, which is for values of a kind that is not stored here.
    if (specifier === 'msgpackr') return `${root}node_modules/msgpackr/index.js`
    // Needed by detect-libc only where the program of Node.js does not tell which libc it uses.
    if (specifier === 'child_process' && /\/detect-libc\//.test(importer ?? '')) return '\0child-process'
    return null
  },
  load(id) {
    if (id !== '\0child-process') return null
    return 'for (const name of ["exec", "execSync"]) exports[name] = (...args) => require("node:child_process")[name](...args)'
  },
  transform: {
    filter: { id: lmdbParts, code: 'import.meta.url' },
    handler(_code, _id, { magicString }) {
      magicString.replaceAll('import.meta.url', 'urlOfLmdb')
      return { code: magicString }
    },
  },
  renderChunk: code => ({ code: code.replace(/\burlOfLmdb\b/g, () => lmdbUrl), map: null }),
}

/** What rolldown does alike for every program. */
const inputOf = (path, urlOf) => {
  const entry = `${root}src/${path}.ts`
  return {
    cwd: root,
    platform: 'node',
    input: { [path]: entry },
    external: external.map(name => new RegExp(`^${name.replaceAll('.', '\\.')}(/|$)`)),
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    experimental: { nativeMagicString: true },
    plugins: [otherPrograms(entry), moduleUrls(urlOf)],
  }
}

/**
 * Writes a bundle. One letter beyond ASCII makes the whole file take two bytes a letter in memory, and longer to read. The
 * bundler itself writes letters as they are. Resolves to the names of the files.
 */
async function write(input, output, shape = code => code) {
  const bundle = await rolldown(input)
  const { output: files } = await bundle.write({ sourcemap: true, sourcemapExcludeSources: true, ...output })
  await bundle.close()
  const chunks = files.filter(({ type }) => type === 'chunk')
  for (const id of chunks.flatMap(({ moduleIds }) => moduleIds)) {
    const [folder] = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id) ?? []
    if (folder) bundledPackages.add(folder)
  }
  for (const { fileName, code } of chunks)
    writeFileSync(join(root, output.dir, fileName), shape(code.replace(/[^\0-\x7f]/g, escaped)))
  return chunks
}

/**
 * One bundle per program, because a program loads all of a file that it shares with another one. What a program loads at
 * once is one file beside it, not part of it: a file that it loads later, while it still waits at its top level, could
 * not import from it.
 */
async function bundleProgram(path) {
  const entry = `${root}src/${path}.ts`
  let atOnce
  await write(inputOf(path, urlInModule), {
    dir: 'dist',
    format: 'esm',
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
}

/**
 * The files of the service are functions that src/service/bundle.ts calls, and dist/main.js is what runs them. Their names contain
 * a digest of their content, as those of the other programs do.
 */
async function bundleService() {
  const { plugins, external, ...input } = inputOf(service, urlInService)
  const [{ fileName }] = await write(
    {
      ...input,
      external: external.filter(pattern => !pattern.test('lmdb')),
      plugins: [...plugins, lmdb],
      checks: { eval: false },
    },
    {
      dir: 'dist/chunks/main',
      format: 'cjs',
      strict: true,
      entryFileNames: '[name]-[hash].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      codeSplitting: { groups: [{ name: 'lmdb', test: lmdbParts }] },
    },
    code =>
      `(function (exports, require, module, importModule, distUrl) {${code.replace(/\bimport\("/g, 'importModule("')}\n})\n`,
  )
  // The map of the compiler.
  rmSync(join(root, 'dist', `${service}.js.map`), { force: true })
  writeFileSync(
    join(root, 'dist', `${service}.js`),
    `import { Bundle } from './service/bundle.js'

export const bundle = new Bundle(new URL('./chunks/main/', import.meta.url), import.meta.url)
bundle.load('${fileName}')
`,
  )
}

// The project in which the tests follow docs/add-an-indicator.md has no programs.
await Promise.all(
  programs
    .filter(path => existsSync(join(root, `src/${path}.ts`)))
    .map(path => (path === service ? bundleService() : bundleProgram(path))),
)

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
if (existsSync(join(root, `src/${service}.ts`))) writeLicences()

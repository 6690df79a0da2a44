import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** What a file of a bundle evaluates to: scripts/build-service.mjs puts a function around each. */
type BundledFile = (
  exports: object,
  require: (specifier: string) => unknown,
  module: { exports: object },
  importModule: (specifier: string) => Promise<unknown>,
  distUrl: string,
) => void

/**
 * The file of the code for the source at `path`. Another V8 has files of its own, and so has another source: V8 itself
 * compares no more than its length.
 */
const codeOf = (path: string, source: Buffer) => {
  const digest = crc32(source).toString(16).padStart(8, '0')
  return `${path}.${digest}.${process.versions.v8}-${process.platform}-${process.arch}.code`
}

/**
 * A program as scripts/build-service.mjs bundles it: files with a name that contains a digest of the content, and beside
 * each, where it was stored, what V8 has compiled of it (docs/adr/0066-compiled-code-is-stored.md).
 */
export class Bundle {
  readonly #folder: URL
  readonly #distUrl: string
  readonly #require: NodeJS.Require
  readonly #loaded = new Map<string, { readonly exports: object }>()
  /** By the file of their code. */
  readonly #scripts = new Map<string, Script>()

  /** `folder` has the files; `distUrl` is the file of dist to which the paths in them relate. */
  constructor(folder: URL, distUrl: string) {
    this.#folder = folder
    this.#distUrl = distUrl
    this.#require = createRequire(distUrl)
  }

  /** Runs a file of the bundle unless it was run before, and returns what it exports. */
  load(name: string): object {
    const loaded = this.#loaded.get(name)
    if (loaded) return loaded.exports
    const module = { exports: {} }
    this.#loaded.set(name, module)
    const require = (specifier: string) =>
      specifier.startsWith('./') ? this.load(specifier.slice(2)) : this.#require(specifier)
    try {
      const run = this.#compile(name)
      run(
        module.exports,
        Object.assign(require, { resolve: this.#require.resolve }),
        module,
        importModule,
        this.#distUrl,
      )
      return module.exports
    } catch (error) {
      this.#loaded.delete(name)
      throw error
    }
  }

  /** Stores what V8 has compiled so far of the files that were run, for later processes with the same V8. */
  storeCode(): void {
    for (const [code, script] of this.#scripts) {
      const partial = `${code}.${process.pid}`
      writeFileSync(partial, script.createCachedData())
      renameSync(partial, code)
    }
  }

  #compile(name: string): BundledFile {
    const path = fileURLToPath(new URL(name, this.#folder))
    const bytes = readFileSync(path)
    // The files are ASCII. Read as Latin-1, a long text lies outside of V8's heap.
    const source = bytes.toString('latin1')
    if (process.sourceMapsEnabled) return compileAsModule(source, path)
    const code = codeOf(path, bytes)
    const script = new Script(source, { filename: path, cachedData: storedCode(code) })
    this.#scripts.set(code, script)
    return script.runInThisContext()
  }
}

/** Node.js applies source maps to modules only, which have no stored code. */
function compileAsModule(source: string, path: string): BundledFile {
  const module = new Module(path) as Module & { _compile(source: string, path: string): void }
  module._compile(`module.exports = ${source}`, path)
  return module.exports
}

/** What `import()` of a package is in a bundle, where V8 would ask Node for an experimental way to import. */
const importModule = (specifier: string): Promise<unknown> => import(specifier)

/** V8 refuses code that was stored with other flags, and compiles the source. */
function storedCode(code: string): Buffer | undefined {
  try {
    return readFileSync(code)
  } catch {
    return undefined
  }
}

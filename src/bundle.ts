import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

/** What a file of a bundle evaluates to: scripts/build-service.mjs puts a function around each. */
type BundledFile = (
  exports: object,
  require: (specifier: string) => unknown,
  module: { exports: object },
  importModule: (specifier: string) => Promise<unknown>,
  distUrl: string,
) => void

/** Another V8 does not even read the code: it has files of its own. */
const codeOf = (path: string) => `${path}.${process.versions.v8}-${process.platform}-${process.arch}.code`

/**
 * A program as scripts/build-service.mjs bundles it: files with a name that contains a digest of the content, and beside
 * each, where it was stored, what V8 has compiled of it (docs/adr/0066-compiled-code-is-stored.md).
 */
export class Bundle {
  readonly #folder: URL
  readonly #distUrl: string
  readonly #require: NodeJS.Require
  readonly #loaded = new Map<string, { readonly exports: object }>()
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
    for (const [path, script] of this.#scripts) {
      const partial = `${codeOf(path)}.${process.pid}`
      writeFileSync(partial, script.createCachedData())
      renameSync(partial, codeOf(path))
    }
  }

  #compile(name: string): BundledFile {
    const path = fileURLToPath(new URL(name, this.#folder))
    // The files are ASCII. Read as Latin-1, a long text lies outside of V8's heap.
    const source = readFileSync(path, 'latin1')
    if (process.sourceMapsEnabled) return compileAsModule(source, path)
    const script = new Script(source, { filename: path, cachedData: storedCode(path) })
    this.#scripts.set(path, script)
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

/** V8 refuses code that was stored with other flags or for another source, and compiles the source. */
function storedCode(path: string): Buffer | undefined {
  try {
    return readFileSync(codeOf(path))
  } catch {
    return undefined
  }
}

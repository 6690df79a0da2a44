import { existsSync, readdirSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Reply, RequestHead } from '../reply.js'
import { type FixedBody, fixedBodyOf } from './fixed-body.js'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Content security policy of pages: they load everything from this service, and nothing from elsewhere or from inline
 * code.
 */
const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const everyFile = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }
const everyPage = { ...everyFile, 'Content-Security-Policy': contentSecurityPolicy }
/** Files whose name has a hash of their content. */
const hashed = { ...everyFile, 'Cache-Control': 'public, max-age=31536000, immutable' }

export interface StaticDirectory {
  readonly directory: string
  /** Path of its `index.html`, such as `/` or `/docs`. The other files are below it, pages without the ending `.html`. */
  readonly path: string
}

/**
 * Files of directories. They are listed at the start, and each file is read at its first request. Paths are looked up
 * in a map, so no path leads to another file of this machine. A missing directory has no files.
 */
export class StaticFiles {
  readonly #files = new Map<string, () => FixedBody>()
  readonly #redirections = new Map<string, Reply>()

  constructor(directories: readonly StaticDirectory[]) {
    for (const each of directories) if (existsSync(each.directory)) this.#list(each)
  }

  /** Reply to a GET request; undefined if the path has no file. */
  reply(head: RequestHead): Reply | Promise<Reply> | undefined {
    return this.#files.get(head.path)?.().reply(head) ?? this.#redirections.get(head.path)
  }

  has(path: string): boolean {
    return this.#files.has(path) || this.#redirections.has(path)
  }

  #list({ directory, path }: StaticDirectory): void {
    const below = path === '/' ? '/' : `${path}/`
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.startsWith('.')) continue
      const file = join(entry.parentPath, entry.name)
      const name = relative(directory, file).split(sep).join('/')
      const type = types[extname(name)] ?? 'application/octet-stream'
      const own = name.startsWith('assets/') ? hashed : name.endsWith('.html') ? everyPage : everyFile
      const address = name === 'index.html' ? path : below + name.replace(/\.html$/, '')
      this.#files.set(address, fixedBodyOf(file, { 'Content-Type': type, ...own }))
    }
    // The links of a page are relative to its path, so that it works behind a proxy that serves it under another path.
    if (below !== path)
      this.#redirections.set(below, {
        status: 308,
        body: '',
        headers: { Location: `..${path}`, 'Cache-Control': 'no-cache' },
      })
  }
}

// Removes files from node_modules that are never loaded on this platform.
//
//   node scripts/trim-modules.mjs <folder>                files that a built service does not load. The image becomes about a third
//                                                         as large.
//   node scripts/trim-modules.mjs <folder> --for-builds   files that builds and tests do not load either: binaries for
//                                                         other platforms, programs next to a compiler, copies of a
//                                                         library in another form
//
// `npm ci` restores them.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'for-builds': { type: 'boolean', default: false } },
})
const [modules] = positionals
if (modules === undefined) {
  console.error('usage: node scripts/trim-modules.mjs <folder of node_modules> [--for-builds]')
  process.exit(2)
}
const { platform, arch, versions } = process

/** Every file below a folder. Links are not followed. */
const filesIn = (...folder) =>
  existsSync(join(modules, ...folder))
    ? readdirSync(join(modules, ...folder), { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath ?? entry.path, entry.name))
    : []

/** The binaries of uWebSockets.js: one for each platform and each release of Node.js. */
const binaries = filesIn('uWebSockets.js', 'dist', 'bin')
const isOfPlatform = path => basename(path).startsWith(`uws_${platform}_${arch}_`)

const neverLoaded = [
  ...binaries.filter(path => !isOfPlatform(path)),
  ...filesIn('ccxt', 'dist'),
  ...filesIn('binaryen', 'bin'),
]
/** Tests run with other releases of Node.js, and need types. */
const notLoadedByService = () => [
  ...binaries.filter(path => !path.endsWith(`_${versions.modules}.node`)),
  ...filesIn().filter(path => /\.(d\.[cm]?ts|[cm]?js\.map)$/.test(path)),
]

let bytes = 0
for (const path of new Set([...neverLoaded, ...(values['for-builds'] ? [] : notLoadedByService())])) {
  bytes += statSync(path).size
  rmSync(path)
}
console.log(`${Math.round(bytes / 1e6)} MB removed`)

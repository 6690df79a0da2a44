// Removes from node_modules what a built service on this platform never loads: binaries of uWebSockets.js for other platforms,
// copies of ccxt for browsers and CommonJS, types and source maps. The image of the Dockerfile becomes about a third as large.
//
//   node scripts/trim-modules.mjs             of this project
//   node scripts/trim-modules.mjs <folder>    of another folder
//
// Run it only where nothing is developed: `npm ci` restores what is missing.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = process.argv[2] ?? fileURLToPath(new URL('../node_modules', import.meta.url))
const { platform, arch, versions } = process
const binary = `uws_${platform}_${arch}_${versions.modules}.node`

/** Every file below a folder. Links are not followed. */
const filesIn = folder =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath ?? entry.path, entry.name))
    : []

const unneeded = [
  ...filesIn(join(modules, 'uWebSockets.js', 'dist', 'bin')).filter(path => !path.endsWith(binary)),
  ...filesIn(join(modules, 'ccxt', 'dist')),
  ...filesIn(modules).filter(path => /\.(d\.[cm]?ts|[cm]?js\.map)$/.test(path)),
]
let bytes = 0
for (const path of new Set(unneeded)) {
  bytes += statSync(path).size
  rmSync(path)
}
rmSync(join(modules, '.candela'), { force: true })
console.log(`${Math.round(bytes / 1e6)} MB removed`)

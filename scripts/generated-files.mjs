// Writes generated files, or checks that they are up to date.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The text of a file with LF line ends; a checkout on Windows may have others. */
const textOf = file => (existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : undefined)

/**
 * Writes the files (texts by their paths below `folder`) and removes others from folders that hold nothing else. With the
 * argument `--check` of the program it only names the different files and fails.
 */
export function writeOrCheck(folder, files, ownFolders = []) {
  const left = ownFolders
    .filter(own => existsSync(join(folder, own)))
    .flatMap(own => readdirSync(join(folder, own)).map(name => `${own}/${name}`))
    .filter(path => !files.has(path) && statSync(join(folder, path)).isFile())
  if (process.argv[2] === '--check') {
    const wrong = [...files]
      .filter(([path, text]) => textOf(join(folder, path)) !== text)
      .map(([path]) => path)
    const found = [...wrong, ...left]
    if (found.length === 0) return
    const [some, more] = [found.slice(0, 5).join(', '), found.length - 5]
    console.error(
      `not what would be written: ${some}${more > 0 ? ` and ${more} more` : ''}. Run npm run docs`,
    )
    process.exitCode = 1
    return
  }
  for (const path of left) rmSync(join(folder, path))
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

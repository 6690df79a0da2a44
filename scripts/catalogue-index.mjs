// Writes src/catalogue/families.ts, which lists the entries of the catalogue: each file in a folder of src/catalogue exports
// a family of indicators, under its own name in camel case. Only what ships with Node is used here, because it runs before
// anything is built.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const catalogue = fileURLToPath(new URL('../src/catalogue', import.meta.url))
const path = join(catalogue, 'families.ts')

/** `trailing-stops` exports `trailingStops`. */
export const exportOf = family => family.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())

/** The folders of the catalogue, one for each category, with the names of their families. */
export function families() {
  return readdirSync(catalogue, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map(folder => [
      folder,
      readdirSync(join(catalogue, folder))
        .filter(name => name.endsWith('.ts'))
        .map(name => name.slice(0, -3))
        .sort(),
    ])
}

/** Writes the list unless the file has it already. */
export function writeCatalogueIndex() {
  const folders = families()
  const imports = folders.flatMap(([folder, names]) =>
    names.map(name => `import { ${exportOf(name)} } from './${folder}/${name}.js'\n`),
  )
  const lists = folders.map(
    ([folder, names]) => `  ${folder}: {\n${names.map(name => `    ...${exportOf(name)},\n`).join('')}  },\n`,
  )
  const text = `// Written by scripts/catalogue-index.mjs.\n${imports.join('')}\n/** The indicators by the folder of their entries, and by their names. */\nexport const families = {\n${lists.join('')}}\n`
  if (!existsSync(path) || readFileSync(path, 'utf8').replaceAll('\r\n', '\n') !== text)
    writeFileSync(path, text)
}

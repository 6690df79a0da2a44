// Writes the lists of the averages for `maType`, from the entries that have `averageType`: their names
// (src/catalogue/average-names.ts), their entries (src/catalogue/average-entries.ts), and their kernels
// (assembly/average-types/named-kernels.ts). Averages other than TA-Lib's are numbered by the order of their names; no
// number is part of the interface.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { exportOf, families } from './catalogue-index.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const catalogue = join(root, 'src', 'catalogue')
const written = '// Written by scripts/average-types.mjs.\n'

/** Loads the modules of the entries and of `define.ts`, without the generated list of entries. */
async function load() {
  const imports = families().flatMap(([folder, names]) =>
    names.map(name => `export { ${exportOf(name)} as '${folder}/${name}' } from './${folder}/${name}.js'\n`),
  )
  const entry = join(catalogue, 'all.ts')
  const bundle = await rolldown({
    input: entry,
    resolve: { extensionAlias: { '.js': ['.ts'] } },
    plugins: [
      {
        name: 'entries',
        resolveId: id => (id === entry ? id : null),
        load(id) {
          if (id === entry)
            return {
              code: `export { talibAverages } from './define.js'\n${imports.join('')}`,
              moduleType: 'ts',
            }
          return id.endsWith('average-entries.ts')
            ? { code: 'export const averageEntries = {}', moduleType: 'ts' }
            : null
        },
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const { talibAverages, ...modules } = await import(
    `data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`
  )
  const entries = new Map(
    Object.entries(modules).flatMap(([file, family]) =>
      Object.entries(family).map(([name, indicator]) => [name, { name, file, ...indicator }]),
    ),
  )
  return { talibAverages, entries }
}

const { talibAverages, entries } = await load()
const named = [...entries.values()]
  .filter(({ averageType }) => averageType)
  .sort((a, b) => (a.name < b.name ? -1 : 1))

/** Writes a file unless it has the text already. */
function write(path, text) {
  const file = join(root, path)
  if (!existsSync(file) || readFileSync(file, 'utf8').replaceAll('\r\n', '\n') !== text)
    writeFileSync(file, text)
}

write(
  'src/catalogue/average-names.ts',
  `${written}
/** The averages that \`maType\` takes by name and that have no number in TA-Lib. */
export const namedAverages = [
${named.map(({ name }) => `  '${name}',\n`).join('')}] as const
`,
)

const averages = [...talibAverages.flatMap(name => entries.get(name) ?? []), ...named]
const files = [...new Set(averages.map(({ file }) => file))].sort()
const familyOf = file => exportOf(file.split('/')[1])
write(
  'src/catalogue/average-entries.ts',
  `${written}import type { Indicator } from './define.js'
${files.map(file => `import { ${familyOf(file)} } from './${file}.js'\n`).join('')}
/** The averages that \`maType\` takes, by their names. */
export const averageEntries: Readonly<Record<string, Indicator>> = {
${averages.map(({ name, file }) => `  ${name}: ${familyOf(file)}.${name},\n`).join('')}}
`,
)

/** A number of candles or of numbers of state as a function of the period, in AssemblyScript. */
function sizeOf(name, size) {
  const values = [2, 3, 17, 500].map(period => size({ period }))
  if (new Set(values).size === 1) return `(_: f64): f64 => ${values[0]}`
  const [, p, body = ''] = /^\(?(\w+)\)? => ([^;{]*)$/.exec(`${size}`) ?? []
  const formula = body.replaceAll(`${p}.period`, 'period')
  if (formula === '' || /[a-z]\w*/gi.test(formula.replaceAll(/Math\.\w+|\bperiod\b/g, '')))
    throw new Error(`the lookback and the state of ${name} must be formulas of the period alone: ${size}`)
  return `(period: f64): f64 => ${formula}`
}

const kernelOf = ({ name, params }) => (Object.keys(params).length > 1 ? `${name}ByDefault` : name)
const byDefault = ({ name, params }) => {
  const numbers = Object.values(params)
    .slice(1)
    .map((param, at) => `  frame.setNumber(${at + 1}, ${param.default})\n`)
  return `function ${name}ByDefault(frame: Frame, from: i32, to: i32): void {\n${numbers.join('')}  ${name}(frame, from, to)\n}\n`
}
const list = (name, type, elements) =>
  `export const ${name}: StaticArray<${type}> = [\n${elements.map(element => `  ${element},\n`).join('')}]\n`
write(
  'assembly/average-types/named-kernels.ts',
  `${written}import { Frame } from '../frame'
${named
  .map(({ name, file }) => [`../kernels/${file.split('/')[0]}/${name}`, name])
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([path, name]) => `import { ${name} } from '${path}'\n`)
  .join('')}
type Kernel = (frame: Frame, from: i32, to: i32) => void
type Size = (period: f64) => f64

${named
  .filter(({ params }) => Object.keys(params).length > 1)
  .map(byDefault)
  .join('\n')}
/** The kernels of the averages that are chosen by name, in the order of their numbers. */
${list('kernels', 'Kernel', named.map(kernelOf))}
/** Values that each average needs before its first one, by the period. */
${list(
  'lookbacks',
  'Size',
  named.map(({ name, lookback }) => sizeOf(name, lookback)),
)}
/** Size of the state of each average in numbers, by the period. */
${list(
  'states',
  'Size',
  named.map(({ name, state }) => sizeOf(name, state)),
)}`,
)

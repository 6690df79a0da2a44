import { catalogue, type Entry } from '../../src/catalogue/index.js'

/** The indicator whose kernel `npm run kernel <name>` has compiled alone; undefined to test all. */
const only = process.env.KERNEL

/** The tested indicators. */
export const testedEntries: readonly Entry[] = [...catalogue.values()].filter(
  ({ name }) => only === undefined || name === only,
)
if (testedEntries.length === 0) throw new Error(`no indicator is called '${only}'`)

/** The file of a build that has the kernels of `testedEntries`. */
export function buildFile(build: 'release' | 'debug'): URL {
  const name = build === 'release' ? 'kernels.wasm' : 'kernels.debug.wasm'
  return new URL(`../../build/${only === undefined ? '' : 'kernel/'}${name}`, import.meta.url)
}

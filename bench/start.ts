import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { median } from './median.js'

const wasm = new URL('../kernels.wasm', import.meta.url)
const script = `
const { instantiate } = await import(${JSON.stringify(import.meta.resolve('#dist/compute/wasm-module.js'))})
const begin = performance.now()
instantiate()
const first = performance.now()
instantiate()
console.log(JSON.stringify([first - begin, performance.now() - first]))
`

/** Reads the module, compiles and instantiates it in a process that did nothing else yet; then once more. */
function sample(): readonly [number, number] {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the module did not start:\n${stderr}`)
  return JSON.parse(stdout)
}

/** What the module of the kernels weighs, and the median of how long it takes until they can be called. */
export function benchStart(): Record<string, Record<string, number>> {
  const samples = Array.from({ length: 15 }, sample)
  const middle = (k: 0 | 1) => Math.round(median(samples.map(times => times[k])) * 100) / 100
  return {
    'build/kernels.wasm': {
      KiB: Math.round(readFileSync(wasm).byteLength / 102.4) / 10,
      'ms to read, compile and instantiate': middle(0),
      'ms for each further instance': middle(1),
    },
  }
}

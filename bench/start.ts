import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { median, rounded } from './statistics.js'

const wasm = new URL('../kernels.wasm', import.meta.url)
const script = `
const { instantiate } = await import(${JSON.stringify(import.meta.resolve('#dist/compute/wasm-module.js'))})
const begin = performance.now()
instantiate()
const first = performance.now()
instantiate()
console.log(JSON.stringify([first - begin, performance.now() - first]))
`

/** Reads the module, compiles it and instantiates it in a new process, then instantiates it once more. */
function sample(): readonly [number, number] {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the module did not start:\n${stderr}`)
  return JSON.parse(stdout)
}

/** The size of the module of the kernels, and the median of the time until its functions can be called. */
export function benchStart(): Record<string, Record<string, number>> {
  const samples = Array.from({ length: 15 }, sample)
  const middle = (k: 0 | 1) => rounded(median(samples.map(times => times[k])))
  return {
    'build/kernels.wasm': {
      KiB: rounded(readFileSync(wasm).byteLength / 1024, 1),
      'ms to read, compile and instantiate': middle(0),
      'ms for each further instance': middle(1),
    },
  }
}

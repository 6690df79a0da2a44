// Compiles the parts of the kernel of one indicator, and checks it against its vector and the laws: `npm run kernel rsi`.
// Does not touch the builds of all kernels.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compilerArguments, root } from './kernel-compiler.mjs'

const [name] = process.argv.slice(2)
const kernels = readdirSync(join(root, 'assembly', 'kernels'), { recursive: true })
const file = kernels.find(path => basename(path) === `${name}.ts`)
if (file === undefined) {
  console.error(
    name === undefined ? 'usage: npm run kernel <name>' : `there is no kernel assembly/kernels/…/${name}.ts`,
  )
  process.exit(2)
}

/** Runs a program of Node.js; its failure ends this one. */
const run = (args, environment = {}) =>
  new Promise(resolve => {
    const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } }
    spawn(process.execPath, args, options).on('exit', status => {
      if (status !== 0) process.exit(1)
      resolve()
    })
  })

const began = performance.now()
const folder = join(root, 'build', 'kernel')
mkdirSync(folder, { recursive: true })
const compile = (target, outFile) =>
  run([
    ...compilerArguments(target, [join(root, 'assembly', 'kernels', file)]),
    '--outFile',
    join(folder, outFile),
  ])
await Promise.all([compile('release', 'kernels.wasm'), compile('debug', 'kernels.debug.wasm')])

const vitest = fileURLToPath(new URL('./vitest.mjs', import.meta.resolve('vitest/package.json')))
const tests = ['test/vectors', 'test/laws/release', 'test/laws/debug']
await run([vitest, 'run', '--maxWorkers=2', ...tests], { KERNEL: name })
console.log(`candela: ${name} took ${((performance.now() - began) / 1000).toFixed(1)} s`)

// Command line of AssemblyScript for kernels. Only what ships with Node is used here, because scripts/setup.mjs runs before
// anything is installed.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Sources of every module in addition to the kernels: its memory, conversion from and to text, and operations of
 * expressions.
 */
const others = ['memory', 'json/candles', 'json/numbers', 'expression/pointwise']

/** The arguments of Node.js that compile kernels, given by their files, into one module for a target of asconfig.json. */
export const compilerArguments = (target, kernels) => [
  join(root, 'node_modules', 'assemblyscript', 'bin', 'asc.js'),
  ...others.map(name => join(root, 'assembly', ...`${name}.ts`.split('/'))),
  ...kernels,
  '--config',
  join(root, 'asconfig.json'),
  '--target',
  target,
]

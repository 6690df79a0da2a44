#!/usr/bin/env node
// The command `candela` of a checkout. Only what ships with Node is used here, because it may run before the build.
import { existsSync } from 'node:fs'

const program = new URL('../dist/cli/candela.js', import.meta.url)
if (!existsSync(program)) {
  console.error('candela: the service is not built yet. Run: npm run build')
  process.exit(1)
}
await import(program.href)

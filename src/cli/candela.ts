#!/usr/bin/env node

// The program that reads the output may end early, as `head` does. The disk for the output may be full.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') console.error(`candela: Cannot write to standard output: ${error.message}`)
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

const [first, ...others] = process.argv.slice(2)
// Shells run `complete` while a command is typed. It is not a command for users.
if (first === 'complete') {
  const { completionsOf } = await import('./complete.js')
  for (const line of await completionsOf(others.slice(1))) console.log(line)
} else {
  const { createProgram, exitCodeOf } = await import('./program.js')
  const program = await createProgram(process.argv.slice(2), reason => process.exit(exitCodeOf(reason)))
  await program.parseAsync()
}

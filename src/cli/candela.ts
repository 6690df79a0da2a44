#!/usr/bin/env node

// The program that reads the output may end early, as `head` does; the disk that it is written to may be full.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') console.error(`candela: Cannot write to standard output: ${error.message}`)
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

const [first, ...others] = process.argv.slice(2)
// What the shells run while a command is typed; it is no command of its own.
if (first === 'complete') {
  const { completionsOf } = await import('./complete.js')
  for (const line of await completionsOf(others.slice(1))) console.log(line)
} else {
  const { createProgram, exitCodeOf } = await import('./program.js')
  const program = await createProgram(process.argv.slice(2), reason => process.exit(exitCodeOf(reason)))
  await program.parseAsync()
}

import { spawn } from 'node:child_process'

/** The first lines that a program of a document prints, and its standard error until then. */
export interface Printed {
  readonly lines: readonly string[]
  readonly errors: string
}

/** Runs a JavaScript module until it has printed `count` lines or has ended. */
export async function firstLinesOf(program: string, env: NodeJS.ProcessEnv, count: number): Promise<Printed> {
  const flags = typeof WebSocket === 'undefined' ? ['--experimental-websocket'] : []
  const child = spawn(
    process.execPath,
    [...flags, '--no-warnings', '--input-type=module', '--eval', program],
    {
      env,
    },
  )
  let printed = ''
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  for await (const chunk of child.stdout) {
    printed += chunk
    if (printed.split('\n').length > count) break
  }
  child.kill()
  return { lines: printed.split('\n').slice(0, count), errors }
}

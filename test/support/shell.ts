import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Outcome } from './command-line.js'

/** One shell that starts all programs, because a process of tests is so large that each start from it costs 30 ms. */
const shell = spawn('bash', { stdio: ['pipe', 'pipe', 'inherit'] })
const codes = createInterface({ input: shell.stdout })
const files = mkdtempSync(join(tmpdir(), 'candela-shell-'))
shell.unref()
for (const pipe of [shell.stdin, shell.stdout]) (pipe as unknown as Socket).unref()

/**
 * Runs a script by a bash of its own, in a folder and with nothing but these variables of the environment. Scripts run one
 * after the other.
 */
export function bash(
  script: string,
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const outcome = last.then(() => run(script, folder, variables))
  last = outcome.catch(() => {})
  return outcome
}
let last: Promise<unknown> = Promise.resolve()

async function run(
  script: string,
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const at = (name: string) => join(files, name)
  const assignments = Object.entries({ PATH: process.env.PATH, ...variables }).map(
    ([name, value]) => `'${name}=${value}'`,
  )
  writeFileSync(at('script'), script)
  shell.stdin.write(
    `(cd '${folder}' && exec env -i ${assignments.join(' ')} bash --norc ${at('script')}) >${at('out')} 2>${at('err')} </dev/null; echo $?\n`,
  )
  const [code] = await once(codes, 'line')
  return { code: Number(code), out: readFileSync(at('out'), 'utf8'), err: readFileSync(at('err'), 'utf8') }
}

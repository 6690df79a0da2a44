import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What a command left behind. */
export interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A command line in a process of its own, beside which the test's servers go on answering. */
export class Command {
  readonly child: ChildProcess
  readonly ended: Promise<Outcome>

  constructor(
    args: readonly string[],
    settings: Readonly<Record<string, string>>,
    input: string | Uint8Array = '',
  ) {
    const child = spawn(process.execPath, ['dist/cli/candela.js', ...args], {
      cwd: root,
      env: { ...process.env, ...settings },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.child = child
    // A command that refuses its arguments does not read what it is given.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    this.ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
      ([out, err, [code]]) => ({ code, out, err }),
    )
  }
}

/** Runs a command line to its end. */
export const run = (
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  input?: string | Uint8Array,
): Promise<Outcome> => new Command(args, settings, input).ended

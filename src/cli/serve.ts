import { once } from 'node:events'
import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { localHostOf } from '../operate/greeting.js'
import { configure, readConnection, setProcesses, settingsInForce } from '../operate/settings/config.js'
import { action, CommandFailure, type CommonOptions } from './failure.js'
import { formatTable, printResult } from './output.js'

/** `candela serve`: runs the service, like `node dist/main.js`. */
export const addServe = (program: Command): void => {
  program
    .command('serve')
    .description('run the service')
    .option(
      '--processes <number>',
      'processes that serve, or auto for one per processor (the setting PROCESSES)',
    )
    .action(async ({ processes }: { readonly processes?: string }) => {
      if (processes !== undefined) setProcesses(processes)
      await import('../main.js')
    })
}

/** `candela mcp`: the tools for language models on standard input and output, answered by a running service. */
export const addMcp = (program: Command): void => {
  program
    .command('mcp')
    .description('serve the Model Context Protocol on standard input and output')
    .addHelpText('after', '\nCANDELA_URL is the address of the running service, CANDELA_KEY an API key.')
    .action(async () => {
      // Loaded here, because no other command needs the module.
      const { serveStdio } = await import('../http/mcp/stdio.js')
      await serveStdio(readConnection())
    })
}

/** Adds `settings`, which prints the settings of a service in this environment. */
export const addSettings = (program: Command): void => {
  program
    .command('settings')
    .description('the settings in force, and where they come from')
    .option('--changed', 'only settings that differ from their defaults')
    .option('--json', 'print a JSON array')
    .action(action(printSettings))
}

function printSettings({ changed, ...options }: CommonOptions & { readonly changed?: true }): void {
  // Reports invalid settings, as at the start of the service.
  configure()
  const shown = settingsInForce().filter(({ from }) => !changed || from !== 'default')
  const rows = shown.map(({ name, value, from }) => [name, value ?? '(not shown)', from])
  printResult(shown, options, () => formatTable(['SETTING', 'VALUE', 'FROM'], rows))
}

const timeoutMs = 4000

/**
 * Adds `health`: exit code 0 if the service of this machine answers. It needs no key, and no program such as curl, which a
 * container image may lack.
 */
export const addHealth = (program: Command): void => {
  program
    .command('health')
    .description(
      'ask the service that runs on this machine whether it answers; HOST and PORT say where it listens',
    )
    .option('--ready', 'ask whether it accepts requests, instead of whether it runs')
    .option('--json', 'errors as JSON, as the answer is')
    .action(action(printHealth))
}

async function printHealth({ ready }: CommonOptions & { readonly ready?: true }): Promise<void> {
  const { host, port } = configure()
  if (port === 0) throw new CommandFailure('PORT is 0, so it is not known where the service listens')
  const place = `${localHostOf(host)}:${port}/health/${ready ? 'ready' : 'live'}`
  const { status, body } = await ask(place)
  if (status !== 200) throw new CommandFailure(`the service answers with status ${status}: ${body}`)
  console.log(body)
}

interface Answer {
  readonly status: number
  readonly body: string
}

/** Asks over HTTP, then over HTTPS, because a service with a certificate does not answer HTTP. */
async function ask(place: string): Promise<Answer> {
  try {
    return await request(getHttp, `http://${place}`)
  } catch (overHttp) {
    try {
      return await request(getHttps, `https://${place}`)
    } catch {
      throw new CommandFailure(`http://${place} cannot be reached: ${(overHttp as Error).message}`)
    }
  }
}

async function request(get: typeof getHttps, url: string): Promise<Answer> {
  // The certificate is not checked: it names the service for its clients, not this machine, and nothing secret is sent.
  const options = { rejectUnauthorized: false, signal: AbortSignal.timeout(timeoutMs) }
  const [response] = (await once(get(url, options), 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: await text(response) }
}

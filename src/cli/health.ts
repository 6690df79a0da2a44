import { once } from 'node:events'
import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { localHostOf } from '../operate/greeting.js'
import { configure } from '../operate/settings/config.js'
import { action, CommandFailure, type CommonOptions } from './failure.js'

/** Timeout of the request, in milliseconds. */
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
    .action(action(report))
}

async function report({ ready }: CommonOptions & { readonly ready?: true }): Promise<void> {
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

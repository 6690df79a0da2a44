import type { Log } from '../../runtime/log.js'
import type { Serve } from './server.js'

/** Setting of the driver for HTTP and WebSockets. */
export type TransportSetting = 'auto' | 'uws' | 'node'

/** The configured driver does not work here. The message is for the administrator. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure'
}

/** Cost of the other driver, as measured by `npm run bench -- http` and `-- stream`. */
const priceOfNode =
  'a request takes 1.8 to 2.2 times the processor time of uWebSockets.js, an update 1.2 to 1.5 times'

const noBinary = () =>
  `uWebSockets.js has no binary for Node ${process.versions.node.split('.')[0]} on ${process.platform} ${process.arch}: there are some for Node 20 and 22, on Linux with glibc`

/**
 * Reason why uWebSockets.js could not be loaded, and how to install it, because the package of the service does not
 * include it.
 */
const reasonOf = (cause: unknown): string =>
  (cause as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
    ? 'uWebSockets.js is not installed (for Node 20 or 22 on Linux: `npm install --global uWebSockets.js@npm:uws-pack@20.0.8`)'
    : noBinary()

/** Loads uWebSockets.js. Fails if the package has no binary for this Node and platform. */
export const loadUws = async (): Promise<Serve> => (await import('./uws.js')).loadServe()

/** Loads the other driver with node:http and ws, which are not needed if uWebSockets.js works. */
export const loadNode = async (): Promise<Serve> => (await import('./node.js')).serve

/** Chooses the driver for a setting. Logs the driver and the reason. Throws TransportFailure. */
export async function chooseTransport(setting: TransportSetting, log: Log, load = loadUws): Promise<Serve> {
  if (setting === 'node') {
    log.info({ transport: 'node' }, 'served by node:http and ws, as TRANSPORT says')
    return loadNode()
  }
  try {
    const serve = await load()
    log.info({ transport: 'uws' }, 'served by uWebSockets.js')
    return serve
  } catch (cause) {
    if (setting === 'uws')
      throw new TransportFailure(
        `TRANSPORT is uws, but ${reasonOf(cause)}. Set TRANSPORT to auto or node, or use another Node`,
        { cause },
      )
    log.info(
      { transport: 'node', reason: (cause as Error).message.split('\n', 1)[0] },
      `served by node:http and ws, because ${reasonOf(cause)}; ${priceOfNode}`,
    )
    return loadNode()
  }
}

import type { Log } from '../log.js'
import { serve as serveNode } from './node.js'
import type { Serve } from './server.js'

/** What serves HTTP and WebSockets, as it is set. */
export type TransportSetting = 'auto' | 'uws' | 'node'

/** The driver that was asked for does not work here, in words for the one who set it. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure'
}

/** What the other driver costs, as `npm run bench -- http` measures it. */
const priceOfNode = 'node:http needs about COST the processor time of uWebSockets.js per request'

const noBinary = () =>
  `uWebSockets.js has no binary for Node ${process.versions.node.split('.')[0]} on ${process.platform} ${process.arch}: it needs Node 20 or 22, and on Linux glibc`

/** Loads uWebSockets.js, which fails where the package has no binary for this Node and platform. */
const loadUws = async (): Promise<Serve> => (await import('./uws.js')).serve

/** The driver for a setting. Logs which one is taken, and why. Throws TransportFailure. */
export async function chooseTransport(setting: TransportSetting, log: Log, load = loadUws): Promise<Serve> {
  if (setting === 'node') {
    log.info({ transport: 'node' }, 'served by node:http and ws, as TRANSPORT says')
    return serveNode
  }
  try {
    const serve = await load()
    log.info({ transport: 'uws' }, 'served by uWebSockets.js')
    return serve
  } catch (cause) {
    if (setting === 'uws')
      throw new TransportFailure(
        `TRANSPORT is uws, but ${noBinary()}. Set TRANSPORT to auto or node, or use another Node`,
        { cause },
      )
    log.info({ transport: 'node' }, `served by node:http and ws, because ${noBinary()}; ${priceOfNode}`)
    return serveNode
  }
}

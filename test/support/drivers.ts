import type { Serve } from '../../src/http/drivers/server.js'
import { loadNode, loadUws } from '../../src/http/drivers/transport.js'

/** A driver of the server, where it works on this Node and platform. */
export interface Driver {
  readonly name: 'uws' | 'node'
  readonly serve: Serve
}

const load = async (name: Driver['name'], loadServe: () => Promise<Serve>): Promise<readonly Driver[]> => {
  try {
    return [{ name, serve: await loadServe() }]
  } catch (error) {
    if (name === 'uws' && !hasUws) return []
    throw error
  }
}

/** Whether this Node is one for which the package of uWebSockets.js is made. Elsewhere it may lack a binary. */
const hasUws = /^v2[02]\./.test(process.version)

export const drivers: readonly Driver[] = [...(await load('uws', loadUws)), ...(await load('node', loadNode))]

import type { Serve } from '../../src/http/drivers/server.js'
import { loadNode, loadUws } from '../../src/http/drivers/transport.js'

/** A driver of the server, if it works on this Node and platform. */
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

/** Whether the package of uWebSockets.js supports this Node. Other releases may lack a binary. */
const hasUws = /^v2[02]\./.test(process.version)

export const drivers: readonly Driver[] = [...(await load('uws', loadUws)), ...(await load('node', loadNode))]

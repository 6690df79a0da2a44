import type { Serve } from '../../src/server/server.js'

/** A driver of the server, where it works on this Node and platform. */
export interface Driver {
  readonly name: 'uws' | 'node'
  readonly serve: Serve
}

const load = async (name: Driver['name']): Promise<readonly Driver[]> => {
  try {
    const { serve } = (await import(`../../src/server/${name}.ts`)) as { readonly serve: Serve }
    return [{ name, serve }]
  } catch (error) {
    if (name === 'uws' && !hasUws) return []
    throw error
  }
}

/** Whether this Node is one for which the package of uWebSockets.js is made. Elsewhere it may lack a binary. */
const hasUws = /^v2[02]\./.test(process.version)

export const drivers: readonly Driver[] = [...(await load('uws')), ...(await load('node'))]

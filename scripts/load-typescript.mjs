import { fileURLToPath } from 'node:url'
import { createViteServer } from 'vitest/node'

/**
 * Imports a TypeScript file of the project, such as the fixtures of the tests, passes the module to `use` and returns
 * its result. The path begins at the root of the project.
 */
export async function withModule(path, use) {
  const server = await createViteServer({
    root: fileURLToPath(new URL('..', import.meta.url)),
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, watch: null, ws: false, hmr: false },
  })
  try {
    return await use(await server.ssrLoadModule(`/${path}`))
  } finally {
    await server.close()
  }
}

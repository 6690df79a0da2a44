import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { drivers } from '../support/drivers.js'
import { reportFigure } from '../support/figure.js'
import { RawClient } from '../support/raw-client.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Open files that the service may have, and connections that are opened to it. */
const limit = 256
const clients = 500

for (const [at, { name }] of drivers.entries()) {
  const title = `the service with few open files and many idle connections goes on answering, on '${name}'`
  const options = at === 0 ? {} : { tags: ['faults'] }
  it.runIf(process.platform !== 'win32')(title, options, async context => {
    const dataDir = mkdtempSync(join(tmpdir(), 'candela-test-'))
    const command = `ulimit -n ${limit} && exec "$0" dist/main.js`
    const child = spawn('sh', ['-c', command, process.execPath], {
      cwd: root,
      env: {
        ...process.env,
        PORT: '0',
        LOG_LEVEL: 'warn',
        DATA_DIR: dataDir,
        TRANSPORT: name,
        MAX_CONNECTIONS_PER_ADDRESS: '1000',
      },
    })
    let log = ''
    child.stderr.on('data', chunk => {
      log += chunk
    })
    let port: number | undefined
    let output = ''
    for await (const chunk of child.stdout) {
      output += chunk
      port = Number(/listens on http:\/\/[^:]+:(\d+)\n/.exec(output)?.[1])
      if (port) break
    }
    const sockets = await Promise.all(Array.from({ length: clients }, () => RawClient.open(port as number)))
    await expect
      .poll(() => sockets.filter(({ isClosed }) => isClosed).length)
      .toBeGreaterThan(clients - limit)
    await expect.poll(() => log).toContain('connections were refused')
    const kept = sockets.filter(({ isClosed }) => !isClosed)
    expect(kept.length).toBeGreaterThan(10)
    const ask = async (client: RawClient) => {
      await client.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
      return client.until(text => text.includes('}'))
    }
    expect(await ask(kept[0] as RawClient)).toContain('HTTP/1.1 200 OK')
    reportFigure(context, `${name}: ${limit} open files, ${clients} connections, ${kept.length} of them kept`)
    for (const client of kept.slice(1)) await client.close()
    await expect
      .poll(async () => {
        const client = await RawClient.open(port as number)
        const text = await ask(client)
        await client.close()
        return text
      })
      .toContain('HTTP/1.1 200 OK')
    const exited = once(child, 'exit')
    child.kill()
    expect(await exited).toEqual([0, null])
    await kept[0]?.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
}

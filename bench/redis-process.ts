import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'

/** Starts an empty server of Redis or Valkey that keeps everything in memory. */
export async function startRedis(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const command = ['redis-server', 'valkey-server'].find(name => spawnSync(name, ['--version']).status === 0)
  if (command === undefined)
    throw new Error('redis-server is not installed (Debian: apt-get install redis-server)')
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '']
  const server = spawn(command, settings, { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => server.kill('SIGKILL'))
  // Drained, so that the server can keep writing.
  const lines = createInterface({ input: server.stdout })
  await new Promise<void>(resolve => {
    lines.on('line', line => {
      if (/ready to accept/i.test(line)) resolve()
    })
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const exited = once(server, 'exit')
      server.kill('SIGKILL')
      await exited
    },
  }
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { RedisAddress } from '../../src/store/address.js'
import { openRedisStore } from '../../src/store/redis/redis-store.js'
import { freePort } from './free-port.js'

const command = ['redis-server', 'valkey-server'].find(name => spawnSync(name, ['--version']).status === 0)
/** Whether the tests of the shared store can run on this machine. */
export const isRedisAvailable = command !== undefined

/** A real server of Redis or Valkey, empty and in memory. */
export interface RedisServer {
  readonly port: number
  /** The value of the setting STORE. */
  readonly url: string
  /** Ends the server without notice. */
  kill(): Promise<void>
  /** Starts it again on the same port after `kill`, with its saved data if it was started with an append-only file. */
  restart(): Promise<void>
  /** Stops the process for a while, like a slow network: connections stay open and nothing is answered. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

/**
 * Starts a server on a free port; `options` are further command-line options, `environment` further variables. Resolves when
 * it answers.
 */
export async function startRedis(
  options: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<RedisServer> {
  if (command === undefined) throw new Error('redis-server is not installed')
  const directory = mkdtempSync(join(tmpdir(), 'candela-redis-'))
  const port = Number(await freePort())
  let server: ChildProcess
  const start = async () => {
    const settings = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      directory,
      '--save',
      '',
      ...options,
    ]
    server = spawn(command, settings, { stdio: 'ignore', env: { ...process.env, ...environment } })
    while (!(await isAnswering(port))) {
      if (server.exitCode !== null) throw new Error(`redis-server ended with ${server.exitCode}`)
      await pause(20)
    }
  }
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise(resolve => server.once('exit', resolve))
    server.kill('SIGCONT')
    server.kill(signal)
    await ended
  }
  await start()
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill: () => end('SIGKILL'),
    restart: start,
    freeze: () => server.kill('SIGSTOP'),
    thaw: () => server.kill('SIGCONT'),
    async close() {
      await end('SIGKILL')
      rmSync(directory, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Whether the server was built with TLS. */
export const hasTls =
  command !== undefined &&
  /not listen anywhere/.test(
    spawnSync(command, ['--port', '0', '--tls-port', '0'], { encoding: 'utf8', timeout: 5000 }).stdout,
  )

const fileOf = (name: string) => fileURLToPath(new URL(`certificates/${name}`, import.meta.url))
const [certFile, keyFile] = [fileOf('cert.pem'), fileOf('key.pem')]
/** Settings of a server that requires a certificate from clients; clients of the tests use the server's own. */
const tlsSettings = (port: number) =>
  Object.entries({
    'tls-port': String(port),
    'tls-cert-file': certFile,
    'tls-key-file': keyFile,
    'tls-ca-cert-file': certFile,
    'tls-auth-clients': 'yes',
    'tls-replication': 'yes',
  })

/** Starts a server with a password that requires a certificate on its port for TLS. */
export async function startTlsRedis(password: string): Promise<RedisServer & { readonly tlsPort: number }> {
  const tlsPort = Number(await freePort())
  const options = [['requirepass', password] as const, ...tlsSettings(tlsPort)]
  return { ...(await startRedis(options.flatMap(([name, value]) => [`--${name}`, value]))), tlsPort }
}

/** Starts a sentinel that requires a certificate, a user and a password. Returns its port for TLS. */
export async function startTlsSentinel(
  watched: { readonly tlsPort: number; readonly password: string },
  user: { readonly name: string; readonly password: string },
): Promise<Pick<RedisServer, 'close'> & { readonly tlsPort: number }> {
  const tlsPort = Number(await freePort())
  const { close } = await startSentinelOf(watched.tlsPort, [
    `sentinel auth-pass main ${watched.password}`,
    'user default off',
    `user ${user.name} on >${user.password} ~* &* +@all`,
    ...tlsSettings(tlsPort).map(([name, value]) => `${name} ${value}`),
  ])
  return { tlsPort, close }
}

/** Whether a server can be started whose clock a test sets, which needs a C compiler. */
export const canShiftClock = isRedisAvailable && spawnSync('cc', ['--version']).status === 0

/** Starts a server whose time of day is that of this machine plus the seconds given to `shift`. */
export async function startShiftedRedis(): Promise<RedisServer & { shift(seconds: number): void }> {
  const directory = mkdtempSync(join(tmpdir(), 'candela-clock-'))
  const [library, file] = [join(directory, 'shifted-time.so'), join(directory, 'shift')]
  const shift = (seconds: number) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(BigInt(seconds) * 1000n)
    // In place, because the server has mapped the file into its memory.
    writeFileSync(file, bytes, { flag: existsSync(file) ? 'r+' : 'w' })
  }
  shift(0)
  const source = fileURLToPath(new URL('shifted-time.c', import.meta.url))
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
  if (status !== 0) throw new Error(`cc ended with ${status}: ${stderr}`)
  const server = await startRedis([], { LD_PRELOAD: library, CLOCK_SHIFT_FILE: file })
  return {
    ...server,
    shift,
    async close() {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export interface RedisCluster extends Pick<RedisServer, 'url' | 'close'> {
  readonly servers: readonly RedisServer[]
}

const slots = 16_384

/** Starts a cluster of `masters` masters, each with the same number of slots. */
export async function startCluster(masters: number): Promise<RedisCluster> {
  const servers: RedisServer[] = []
  const ports: string[] = []
  for (let at = 0; at < masters; at++) {
    const busPort = String(await freePort())
    const options = [
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      busPort,
      '--cluster-announce-ip',
      '127.0.0.1',
    ]
    const server = await startRedis(options)
    const [from, to] = [at, at + 1].map(place => Math.floor((place * slots) / masters)) as [number, number]
    await send(server.port, `CLUSTER ADDSLOTSRANGE ${from} ${to - 1}`)
    for (const [other, { port }] of servers.entries())
      await send(server.port, `CLUSTER MEET 127.0.0.1 ${port} ${ports[other]}`)
    servers.push(server)
    ports.push(busPort)
  }
  for (const { port } of servers) {
    const isReady = async () => {
      const info = await send(port, 'CLUSTER INFO')
      return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${masters}`)
    }
    while (!(await isReady())) await pause(20)
  }
  return {
    servers,
    url: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    close: async () => void (await Promise.all(servers.map(server => server.close()))),
  }
}

/**
 * Starts a replica of another server. Resolves when it gets what the other server writes: that begins up to a second after it
 * has copied everything, and until then a kill loses the writes.
 */
export async function startReplica(of: RedisServer): Promise<RedisServer> {
  const replica = await startRedis(['--replicaof', '127.0.0.1', String(of.port)])
  while (!(await send(replica.port, 'INFO replication')).includes('master_link_status:up')) await pause(20)
  await send(of.port, 'SET written yes')
  while (!(await send(replica.port, 'GET written')).includes('yes')) await pause(20)
  await send(of.port, 'DEL written')
  return replica
}

/**
 * Starts a sentinel that watches a server under the name `main`. `url` is that of a store behind it. Resolves when it knows the
 * replicas. `promote` makes a replica the master, for the sentinel and its clients, as an operator does. By itself, the sentinel
 * promotes nothing: on a busy machine it would also promote for a server that is only slow, or find no replica good enough.
 */
export async function startSentinel(
  watched: RedisServer,
  replicas = 0,
): Promise<Pick<RedisServer, 'url' | 'close'> & { promote(replica: RedisServer): Promise<void> }> {
  const { port, close } = await startSentinelOf(watched.port)
  while (!(await send(port, 'INFO sentinel')).includes(`slaves=${replicas}`)) await pause(100)
  const command = async (to: number, text: string) => {
    const reply = await send(to, text)
    if (!reply.startsWith('+OK')) throw new Error(`${text}: ${reply}`)
  }
  return {
    url: `redis+sentinel://127.0.0.1:${port}/main`,
    close,
    async promote(replica) {
      await command(replica.port, 'REPLICAOF NO ONE')
      await command(port, 'SENTINEL REMOVE main')
      await command(port, `SENTINEL MONITOR main 127.0.0.1 ${replica.port} 1`)
    },
  }
}

async function startSentinelOf(watchedPort: number, further: readonly string[] = []) {
  const directory = mkdtempSync(join(tmpdir(), 'candela-sentinel-'))
  const port = Number(await freePort())
  const file = join(directory, 'sentinel.conf')
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${directory}`,
    `sentinel monitor main 127.0.0.1 ${watchedPort} 1`,
    'sentinel down-after-milliseconds main 3600000',
    ...further,
  ]
  writeFileSync(file, `${settings.join('\n')}\n`)
  const sentinel = spawn(command as string, [file, '--sentinel'], { stdio: 'ignore' })
  while (!(await isAnswering(port))) {
    if (sentinel.exitCode !== null) throw new Error(`the sentinel ended with ${sentinel.exitCode}`)
    await pause(20)
  }
  return {
    port,
    async close() {
      const ended = new Promise(resolve => sentinel.once('exit', resolve))
      sentinel.kill('SIGKILL')
      await ended
      rmSync(directory, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Confirms the state of a store, as an operator does with `candela store confirm`. */
export async function confirmStore(address: RedisAddress): Promise<void> {
  const store = openRedisStore(address, { confirm: true })
  await store.ready()
  await store.close()
}

/** The reply to a command, as the server writes it. */
const send = (port: number, text: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${text}\r\n`))
    socket.once('data', data => {
      resolve(String(data))
      socket.destroy()
    })
    socket.once('error', reject)
  })

const isAnswering = (port: number): Promise<boolean> =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.once('data', () => {
      resolve(true)
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
  })

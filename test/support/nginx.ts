import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectTcp } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { certificate } from './certificate.js'
import { freePort } from './free-port.js'

const path = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`
/** Whether a configuration can be tested on this machine. */
export const isNginxAvailable = spawnSync('nginx', ['-v'], { env: { PATH: path } }).status === 0

/** A running nginx. */
export interface Nginx {
  readonly httpUrl: string
  readonly httpsUrl: string
  /**
   * Writes bytes to a connection over TLS, in parts; returns the bytes received until the connection ends or `until` was
   * received.
   */
  raw(parts: readonly string[], until?: string): Promise<string>
  close(): void
}

/**
 * Runs nginx with a user's configuration, except for addresses, ports and the certificate. `servicePort` is the port of the
 * service behind it.
 */
export async function startNginx(configuration: string, servicePort: string): Promise<Nginx> {
  const directory = mkdtempSync(join(tmpdir(), 'candela-nginx-'))
  const at = (name: string) => join(directory, name)
  writeFileSync(at('cert.pem'), certificate.cert)
  writeFileSync(at('key.pem'), certificate.key)
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const site = configuration
    .replaceAll(/^ *listen +\[::\].*\n/gm, '')
    .replaceAll(/listen +80;/g, `listen 127.0.0.1:${httpPort};`)
    .replaceAll(/listen +443 ssl;/g, `listen 127.0.0.1:${httpsPort} ssl;`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${servicePort}`)
    .replaceAll('/etc/ssl/candela/fullchain.pem', at('cert.pem'))
    .replaceAll('/etc/ssl/candela/privkey.pem', at('key.pem'))
  writeFileSync(at('nginx.conf'), around(site, directory))
  mkdirSync(at('logs'))
  const run = (...options: string[]) =>
    spawnSync('nginx', ['-p', directory, '-c', at('nginx.conf'), '-e', at('logs/error.log'), ...options], {
      env: { PATH: path },
      encoding: 'utf8',
    })
  // It goes to the background once it listens.
  const { status, stderr } = run()
  if (status !== 0)
    throw new Error(`nginx did not start:\n${stderr}${readFileSync(at('nginx.conf'), 'utf8')}`)

  return {
    httpUrl: `http://localhost:${httpPort}`,
    httpsUrl: `https://localhost:${httpsPort}`,
    raw: (parts, until) => exchange(httpsPort, parts, until),
    close() {
      run('-s', 'stop')
      rmSync(directory, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** A whole configuration with a site in it. All files are written below `directory`. */
function around(site: string, directory: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `  ${name}_temp_path ${directory}/${name};`,
  )
  return [
    ...(process.getuid?.() === 0 ? [`user ${userInfo().username};`] : []),
    'worker_processes 1;',
    `pid ${directory}/nginx.pid;`,
    'events { worker_connections 1024; }',
    'http {',
    '  access_log off;',
    ...temporary,
    site,
    '}',
    '',
  ].join('\n')
}

function exchange(port: number, parts: readonly string[], until: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connectTls({ socket: connectTcp({ port, noDelay: true }), rejectUnauthorized: false })
    const writeNext = (at: number) => {
      if (at >= parts.length || socket.destroyed) return
      socket.write(parts[at] as string, () => setImmediate(writeNext, at + 1))
    }
    socket.on('secureConnect', () => writeNext(0))
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (until !== undefined && text.includes(until)) socket.destroy()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

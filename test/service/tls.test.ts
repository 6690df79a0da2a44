import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startTestService } from '../support/test-service.js'

const file = (name: string) => fileURLToPath(new URL(`../support/certificates/${name}`, import.meta.url))

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
  vi.useFakeTimers({ toFake: ['setInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(directory, { recursive: true, force: true })
})

/** Whether the service has a certificate that this one vouches for. */
const isShown = (url: string, certificate: string) =>
  new Promise<boolean>(resolve => {
    const socket = connect({
      port: Number(new URL(url).port),
      host: '127.0.0.1',
      ca: readFileSync(file(certificate)),
    })
    socket.once('secureConnect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

it('the service takes a renewed certificate while it runs', async () => {
  const [tlsCert, tlsKey] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  copyFileSync(file('cert.pem'), tlsCert)
  copyFileSync(file('key.pem'), tlsKey)
  const service = await startTestService({ tlsCert, tlsKey })
  try {
    expect([await isShown(service.url, 'cert.pem'), await isShown(service.url, 'renewed-cert.pem')]).toEqual([
      true,
      false,
    ])
    copyFileSync(file('renewed-cert.pem'), tlsCert)
    copyFileSync(file('renewed-key.pem'), tlsKey)
    vi.advanceTimersByTime(10_000)
    await expect.poll(() => isShown(service.url, 'renewed-cert.pem')).toBe(true)
    expect(await isShown(service.url, 'cert.pem')).toBe(false)
  } finally {
    await service.close()
  }
})

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config.js'
import type { Log } from '../log.js'

/** A certificate for HTTPS with its private key, both in PEM format. */
export interface Certificate {
  readonly certFile: string
  readonly keyFile: string
  readonly cert: Buffer
  readonly key: Buffer
  /** When it ends. */
  readonly validTo: Date
}

/** A certificate that cannot be used, in words for the one who set it. */
export class CertificateFailure extends Error {
  override readonly name = 'CertificateFailure'
}

/** Reads a certificate, with those of its issuers behind it, and its key. Throws CertificateFailure. */
export function readCertificate(certPath: string, keyPath: string): Certificate {
  const [certFile, keyFile] = [resolve(certPath), resolve(keyPath)]
  const cert = read('TLS_CERT', certFile)
  const key = read('TLS_KEY', keyFile)
  const certificate = parse('TLS_CERT', certFile, 'certificate', () => new X509Certificate(cert))
  const privateKey: KeyObject = parse('TLS_KEY', keyFile, 'private key without a password', () =>
    createPrivateKey(key),
  )
  if (!certificate.checkPrivateKey(privateKey))
    throw new CertificateFailure(`TLS_KEY: "${keyFile}" is not the key of the certificate "${certFile}"`)
  return { certFile, keyFile, cert, key, validTo: new Date(certificate.validTo) }
}

function read(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new CertificateFailure(`${name}: "${path}" cannot be read: ${(cause as Error).message}`, { cause })
  }
}

function parse<Value>(name: string, path: string, expected: string, read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    throw new CertificateFailure(
      `${name}: "${path}" has no ${expected} in PEM format: ${(cause as Error).message}`,
      { cause },
    )
  }
}

/** The certificate that is set, read anew. Throws CertificateFailure. `now` is in Unix milliseconds. */
export function certificateOf(
  { tlsCert, tlsKey }: Pick<Config, 'tlsCert' | 'tlsKey'>,
  log: Log,
  now = Date.now(),
): Certificate | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  const certificate = readCertificate(tlsCert, tlsKey)
  const { validTo } = certificate
  if (validTo.getTime() < now)
    log.warn({ tlsCert, validTo }, 'the certificate is no longer valid: clients will refuse it')
  return certificate
}

/** How often the files of the certificate are looked at, in milliseconds. */
const lookMs = 10_000

/**
 * Calls `renew` with the certificate that is set whenever one of its files has changed, until the returned function is
 * called. One that cannot be used is logged, and the last one stays: a renewal replaces one file after the other.
 */
export function watchCertificate(
  config: Pick<Config, 'tlsCert' | 'tlsKey'>,
  log: Log,
  renew: (certificate: Certificate) => Promise<void>,
  interval = lookMs,
): () => void {
  const changed = async () => {
    try {
      const certificate = certificateOf(config, log)
      if (certificate === undefined) return
      await renew(certificate)
      log.info({ validTo: certificate.validTo }, 'the certificate was renewed')
    } catch (error) {
      log.error({ err: error }, 'the certificate could not be renewed, so the last one stays')
    }
  }
  const files = [config.tlsCert, config.tlsKey].filter(file => file !== undefined)
  let last = files.map(stateOf).join()
  const look = () => {
    const states = files.map(stateOf).join()
    if (states === last) return
    last = states
    void changed()
  }
  const timer = files.length === 0 ? undefined : setInterval(look, interval).unref()
  return () => clearInterval(timer)
}

/** Differs when a file, or what a link leads to, is another one: what certbot replaces are links. */
function stateOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino}/${size}/${mtimeMs}`
  } catch {
    return ''
  }
}

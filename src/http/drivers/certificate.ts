import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { readKeyPair } from '../../runtime/key-pair.js'
import type { Log } from '../../runtime/log.js'

/** A certificate for HTTPS with its private key, both in PEM format. */
export interface Certificate {
  readonly certFile: string
  readonly keyFile: string
  readonly cert: Buffer
  readonly key: Buffer
  readonly validTo: Date
}

/** Paths of a certificate and of its key, both undefined for plain HTTP. */
interface CertificateFiles {
  readonly tlsCert: string | undefined
  readonly tlsKey: string | undefined
}

/** Reads a certificate, followed by the certificates of its issuers, and its key. Throws CertificateFailure. */
export function readCertificate(certPath: string, keyPath: string): Certificate {
  const [certFile, keyFile] = [resolve(certPath), resolve(keyPath)]
  const pair = readKeyPair({ name: 'TLS_CERT', path: certFile }, { name: 'TLS_KEY', path: keyFile })
  return { certFile, keyFile, ...pair }
}

/**
 * Reads the configured certificate from its files; undefined for plain HTTP. Throws CertificateFailure. `now` is in
 * Unix milliseconds.
 */
export function certificateOf(
  { tlsCert, tlsKey }: CertificateFiles,
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

/** Interval at which the certificate files are checked, in milliseconds. */
const lookMs = 10_000

/**
 * Calls `renew` with the configured certificate whenever one of its files has changed, until the returned function is
 * called. An unusable certificate is logged and the last one stays, because a renewal replaces one file after the
 * other.
 */
export function watchCertificate(
  config: CertificateFiles,
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

/** State of a file, or of the target of a link, because certbot replaces links. It differs after a replacement. */
function stateOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino}/${size}/${mtimeMs}`
  } catch {
    return ''
  }
}

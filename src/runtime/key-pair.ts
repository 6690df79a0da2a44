import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** An unusable certificate or key, with a message for the operator. */
export class CertificateFailure extends Error {
  override readonly name = 'CertificateFailure'
}

/** A file in PEM format, and the name of its setting. */
export interface PemFile {
  readonly name: string
  readonly path: string
}

/** The bytes of a file with certificates, and the first certificate. Throws CertificateFailure. */
export function readCertificates(file: PemFile): { readonly bytes: Buffer; readonly first: X509Certificate } {
  const bytes = read(file)
  return { bytes, first: parse(file, 'certificate', () => new X509Certificate(bytes)) }
}

/** A certificate with those of its issuers, and its key. Throws CertificateFailure. */
export function readKeyPair(certFile: PemFile, keyFile: PemFile) {
  const key = read(keyFile)
  const { bytes: cert, first } = readCertificates(certFile)
  const privateKey = parse(keyFile, 'private key without a password', () => createPrivateKey(key))
  if (!first.checkPrivateKey(privateKey))
    throw new CertificateFailure(
      `${keyFile.name}: "${keyFile.path}" is not the key of the certificate "${certFile.path}"`,
    )
  return { cert, key, validTo: new Date(first.validTo) }
}

function read({ name, path }: PemFile): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new CertificateFailure(`${name}: "${path}" cannot be read: ${(cause as Error).message}`, { cause })
  }
}

function parse<Value>({ name, path }: PemFile, expected: string, read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    throw new CertificateFailure(
      `${name}: "${path}" has no ${expected} in PEM format: ${(cause as Error).message}`,
      { cause },
    )
  }
}

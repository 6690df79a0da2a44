import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const isAvailable = spawnSync('openssl', ['version']).status === 0
if (!isAvailable) console.warn('openssl is not installed: tests with a certificate are skipped')

/** Certificates for the host `localhost`, made by openssl where it is installed. */
export const certificate = {
  isAvailable,
  create(): { readonly cert: string; readonly key: string } {
    const directory = mkdtempSync(join(tmpdir(), 'candela-certificate-'))
    const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
    const { status, stderr } = spawnSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ].concat(
        ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
        ['-keyout', key, '-out', cert],
      ),
      { encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`openssl failed: ${stderr}`)
    const made = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
    rmSync(directory, { recursive: true })
    return made
  },
}

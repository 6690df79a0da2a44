import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { certificate } from './certificate.js'

/** An e-mail that a server has accepted. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly user: unknown
  readonly isSecure: boolean
  /** Its header fields by name, in lower case. */
  readonly fields: ReadonlyMap<string, string>
  readonly body: string
}

/** Refused addresses, with a permanent and a temporary status. */
const refused: Readonly<Record<string, number>> = { 'gone@example.com': 550, 'busy@example.com': 451 }

/** A server for e-mail on loopback, which knows `ann` with the password `p@ss` and speaks TLS with a certificate of its own. */
export async function startMailServer() {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    ...certificate,
    authMethods: ['PLAIN'],
    onAuth: ({ username, password }, _, done) =>
      password === 'p@ss' ? done(null, { user: username }) : done(new Error('Invalid username or password')),
    onRcptTo({ address }, _, done) {
      const responseCode = refused[address]
      done(responseCode ? Object.assign(new Error('not now'), { responseCode }) : null)
    },
    onData(stream: SMTPServerDataStream, { envelope, user, secure }, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope
        received.push({
          ...{ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) },
          ...{ user, isSecure: secure, ...partsOf(Buffer.concat(chunks).toString()) },
        })
        done()
      })
    },
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    received,
    port,
    /** The setting for this server. */
    url: `smtp://ann:p%40ss@127.0.0.1:${port}?tls.rejectUnauthorized=false`,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

function partsOf(text: string): Pick<ReceivedMail, 'fields' | 'body'> {
  const at = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, at)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const fields = lines.map(
    line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)] as const,
  )
  return { fields: new Map(fields), body: text.slice(at + 4) }
}

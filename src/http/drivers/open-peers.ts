import { createReadStream, existsSync } from 'node:fs'
import { endianness } from 'node:os'

/** The connections of this machine over IPv4 and IPv6, a line each, as Linux shows them. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'] as const

/** Whether the connections of this machine can be read: on Linux. */
export const knowsConnections = (): boolean => existsSync(tables[0])

/**
 * The connections of this machine as the system shows them, in pieces of whole lines with a turn of the event loop
 * between them. There may be tens of thousands, because a connection is shown for a minute after its end.
 */
export async function* readConnections(): AsyncGenerator<string> {
  for (const table of tables) {
    let rest = ''
    try {
      for await (const chunk of createReadStream(table, { encoding: 'latin1' })) {
        const text = rest + chunk
        const end = text.lastIndexOf('\n') + 1
        rest = text.slice(end)
        yield text.slice(0, end)
      }
    } catch {
      // A machine without IPv6 has no table of it.
    }
  }
}

/**
 * The addresses of the other ends of all open connections to a port, one for each connection, out of lines that the
 * system shows. Its numbers are written in the byte order of the machine.
 */
export function peersIn(text: string, port: number, order: 'LE' | 'BE' = endianness()): string[] {
  const local = port.toString(16).toUpperCase().padStart(4, '0')
  // The port ends the first address, the other end follows, and then the state: open, or closed by the client only.
  const open = new RegExp(`:${local} ([0-9A-F]+):[0-9A-F]{4} (?:01|08) `, 'g')
  return Array.from(text.matchAll(open), ([, remote]) => addressOf(remote as string, order))
}

function addressOf(remote: string, order: 'LE' | 'BE'): string {
  const words = remote.match(/.{8}/g) ?? []
  const bytes = words.flatMap(word => {
    const inWord = [...Buffer.from(word, 'hex')]
    return order === 'LE' ? inWord.reverse() : inWord
  })
  if (bytes.length === 4) return bytes.join('.')
  return (Buffer.from(bytes).toString('hex').match(/.{4}/g) ?? []).join(':')
}

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { endianness } from 'node:os'

/** The connections of this machine over IPv4 and IPv6, a line each, as Linux shows them. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'] as const

/** A connection is open, or was closed by its client only. */
const openStates = new Set(['01', '08'])

/** Whether the connections of this machine can be read: on Linux. */
export const knowsConnections = (): boolean => existsSync(tables[0])

/** The connections of this machine as the system shows them. */
export async function readConnections(): Promise<string> {
  const texts = await Promise.all(tables.map(table => readFile(table, 'latin1').catch(() => '')))
  return texts.join('')
}

/**
 * The addresses of the other ends of all open connections to a port, one for each connection, out of the text that the
 * system shows. Its numbers are written in the byte order of the machine.
 */
export function peersIn(text: string, port: number, order: 'LE' | 'BE' = endianness()): string[] {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')} `
  const peers: string[] = []
  // Most lines are not looked at any further.
  for (const line of text.split('\n')) {
    if (!line.includes(local)) continue
    const [, localAddress = '', remote = '', state = ''] = line.trim().split(/ +/)
    if (`${localAddress} `.endsWith(local) && openStates.has(state)) peers.push(addressOf(remote, order))
  }
  return peers
}

function addressOf(remote: string, order: 'LE' | 'BE'): string {
  const words = remote.slice(0, remote.indexOf(':')).match(/.{8}/g) ?? []
  const bytes = words.flatMap(word => {
    const inWord = [...Buffer.from(word, 'hex')]
    return order === 'LE' ? inWord.reverse() : inWord
  })
  if (bytes.length === 4) return bytes.join('.')
  return (Buffer.from(bytes).toString('hex').match(/.{4}/g) ?? []).join(':')
}

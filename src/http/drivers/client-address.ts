import { isIPv4 } from 'node:net'

/**
 * Address that identifies a client: its IPv4 address, or the first 64 bits of its IPv6 address. One client has all IPv6
 * addresses with these bits. `proxies` is the number of proxies in front of the service. Each proxy appends the address
 * of its own client to `forwardedFor`, the field `X-Forwarded-For`. Entries that the client itself wrote come first and
 * are ignored.
 */
export function clientAddress(peer: string, forwardedFor: string, proxies: number): string {
  if (proxies === 0) return networkOf(peer)
  const hops = forwardedFor.split(',').filter(hop => hop.trim() !== '')
  return networkOf(hops.at(-Math.min(proxies, hops.length))?.trim() ?? peer)
}

function networkOf(text: string): string {
  const address = withoutPort(text)
  if (!address.includes(':')) return address
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  if (isMapped) {
    const [high = 0, low = 0] = groups.slice(6)
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
  }
  return `${groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`
}

/** Removes the port that some proxies write after the address: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(text)?.[1]
  if (bracketed !== undefined) return bracketed
  const before = text.slice(0, text.indexOf(':'))
  return isIPv4(before) ? before : text
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const halves = address.split('::').map(half => half.split(':').filter(Boolean).flatMap(valuesOf))
  const [first = [], last = []] = halves
  return [...first, ...new Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last]
}

/** A group, or the two groups of an IPv4 address at the end. */
function valuesOf(group: string): number[] {
  if (!isIPv4(group)) return [Number.parseInt(group, 16)]
  const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** IPv4 networks that are not of the public Internet. Source: IANA's IPv4 Special-Purpose Address Registry, RFC 6890. */
const special4 = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
  addNetwork(special4, network, 'ipv4')

/** The global unicast addresses of IPv6 (RFC 4291), all others are special. */
const global6 = new BlockList()
addNetwork(global6, '2000::/3', 'ipv6')
/** Networks in it that are special, or lead to an IPv4 address: IETF protocols, documentation and 6to4. */
const special6 = new BlockList()
for (const network of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
  addNetwork(special6, network, 'ipv6')

function addNetwork(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address, bits] = network.split('/') as [string, string]
  list.addSubnet(address, Number(bits), family)
}

/** Whether an IP address is one of the public Internet: not of this machine, a private network or another special one. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special4.check(address, 'ipv4')
  return family === 6 && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

/** A webhook leads to an address that it must not lead to. */
export class PrivateAddress extends Error {
  constructor() {
    super('its address is not a public one')
    this.name = 'PrivateAddress'
  }
}

/** The host of a URL without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Whether a host that a URL names is certainly not a public one, before its name is resolved. */
export function isPrivateHost(url: URL): boolean {
  const host = hostOf(url)
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return /(^|\.)localhost\.?$/i.test(host)
}

type Resolve = (
  host: string,
  options: { readonly all: true; readonly family: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Resolves names for a connection, and fails where any of the addresses is not public: what it answers is what is
 * connected to, so a name cannot lead elsewhere after it was checked.
 */
export const publicLookup =
  (resolve: Resolve = lookup): LookupFunction =>
  (host, { all, family }, callback) => {
    const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : (family ?? 0)
    resolve(host, { all: true, family: wanted }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) callback(error ?? new Error('the name has no address'), '', 0)
      else if (!addresses.every(({ address }) => isPublicAddress(address)))
        callback(new PrivateAddress(), '', 0)
      else if (all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

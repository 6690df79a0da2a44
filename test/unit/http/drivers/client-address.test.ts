import { describe, expect, it } from 'vitest'
import { clientAddress } from '../../../../src/http/drivers/client-address.js'

describe('the address of a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0000:0000:0000:0000:0000:ffff:c000:0201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('of the peer %s is %s', (peer, address) => {
    expect(clientAddress(peer, '198.51.100.7', 0)).toBe(address)
  })

  it.each([
    [1, '192.0.2.1', '192.0.2.1'],
    [1, '203.0.113.9, 192.0.2.1', '192.0.2.1'],
    [2, '203.0.113.9,192.0.2.1 , 10.0.0.2', '192.0.2.1'],
    [3, '192.0.2.1', '192.0.2.1'],
    [1, '', '10.0.0.1'],
    [1, ' , ', '10.0.0.1'],
    [1, '192.0.2.1:4711', '192.0.2.1'],
    [1, '[2001:db8:1:2::6]:4711', '2001:db8:1:2::/64'],
    [1, '2001:db8:1:2::6', '2001:db8:1:2::/64'],
    [1, 'unknown', 'unknown'],
  ])('behind %i proxies that send "%s" is %s', (proxies, forwardedFor, address) => {
    expect(clientAddress('10.0.0.1', forwardedFor, proxies)).toBe(address)
  })
})

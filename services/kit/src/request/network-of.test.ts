import { expect, test } from 'bun:test'
import { networkOf, siteOf } from './network-of'

test('whatever address of its /64 somebody takes, the network is the same, and so is that of IPv4 however it is written', () => {
  const networks = {
    '192.0.2.1': '192.0.2.1',
    '192.0.2.1:50123': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '::ffff:c000:201': '192.0.2.1',
    '0:0:0:0:0:FFFF:C000:0201': '192.0.2.1',
    '2001:db8:0:1::5': '2001:db8:0:1',
    '[2001:db8:0:1::5]:50123': '2001:db8:0:1',
    '2001:0db8::1': '2001:db8:0:0',
    '2001:db8:0:0:9:9:9:9': '2001:db8:0:0',
    '2001:db8:0:0': '2001:db8:0:0',
    'fe80::1%eth0': 'fe80:0:0:0',
    '::1': '0:0:0:0',
    unknown: 'unknown',
  }
  expect(Object.fromEntries(Object.keys(networks).map(address => [address, networkOf(address)]))).toEqual(networks)
})

test('the /48 of an address of IPv6', () => {
  expect(['2001:db8:7:1::5', '2001:db8:7:ffff::5', '192.0.2.1', '::ffff:192.0.2.1', 'unknown'].map(siteOf)).toEqual([
    '2001:db8:7',
    '2001:db8:7',
    undefined,
    undefined,
    undefined,
  ])
})

import { expect, test } from 'bun:test'
import { isPublicAddress } from './public-address'
import { parseRange } from './range'

/** Ranges that are not the public internet: both edges are refused, the neighbours outside are not (where they are public). */
const v4: [range: string, before: boolean, after: boolean][] = [
  ['0.0.0.0/8', false, true],
  ['10.0.0.0/8', true, true],
  ['100.64.0.0/10', true, true],
  ['127.0.0.0/8', true, true],
  ['168.63.129.16/32', true, true],
  ['169.254.0.0/16', true, true],
  ['172.16.0.0/12', true, true],
  ['192.0.0.0/24', true, true],
  ['192.0.2.0/24', true, true],
  ['192.88.99.0/24', true, true],
  ['192.168.0.0/16', true, true],
  ['198.18.0.0/15', true, true],
  ['198.51.100.0/24', true, true],
  ['203.0.113.0/24', true, true],
  ['224.0.0.0/3', true, false],
]
const quad = (value: bigint) => [24n, 16n, 8n, 0n].map(shift => (value >> shift) & 255n).join('.')

test.each(v4)('%s is refused at both edges and its neighbours are as they should be', (text, before, after) => {
  const { first, last } = parseRange(text)
  expect([isPublicAddress(quad(first)), isPublicAddress(quad(last))]).toEqual([false, false])
  if (first > 0n) expect(isPublicAddress(quad(first - 1n))).toBe(before)
  if (last < 0xffffffffn) expect(isPublicAddress(quad(last + 1n))).toBe(after)
})

test.each([
  '::',
  '::1',
  '::2',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:0:5ef5:79fb::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:2f:ffff::',
  '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db8::1',
  '2001:db8:ffff::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  '3fff:fff:ffff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fdff:ffff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '2606:4700::5efe:10.0.0.1',
  '2606:4700::200:5efe:a00:1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:ffff:7f00:0001',
  'fe80::1%eth0',
  '2606:4700:::1',
  '1::2::3',
  '1.2.3',
  '1.2.3.4.5',
  '01.2.3.4',
  '256.1.1.1',
  '',
  'localhost',
])('%s is not public', address => {
  expect(isPublicAddress(address)).toBe(false)
})

test('addresses of the public internet are never refused', () => {
  const public4 = [
    1, 2, 5, 8, 9, 13, 17, 23, 31, 34, 45, 52, 64, 66, 74, 80, 88, 93, 99, 104, 108, 128, 130, 140, 142, 151, 160, 171, 173, 185, 191, 193,
    194, 197, 199, 204, 208, 216, 223,
  ]
  const addresses = [
    ...public4.flatMap(first => [`${first}.1.2.3`, `${first}.128.0.1`, `${first}.255.255.254`]),
    ...[
      '2001:200::1',
      '2001:4860:4860::8888',
      '2003::1',
      '2400:cb00::1',
      '240e::1',
      '2600::1',
      '2606:4700:4700::1111',
      '2607:f8b0::1',
      '2610::1',
      '2620:fe::fe',
      '2630::1',
      '2800::1',
      '2804::1',
      '2a00:1450::1',
      '2a02::1',
      '2a10::1',
      '2c00::1',
      '2c0f:fb50::1',
    ],
    ...[
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.0.1.0',
      '192.0.3.0',
      '192.167.255.255',
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '168.63.129.15',
      '168.63.129.17',
    ],
  ]
  expect(addresses.filter(address => !isPublicAddress(address))).toEqual([])
})

test('the ranges of one’s own cluster are refused though they are public elsewhere', () => {
  expect(isPublicAddress('34.118.224.10', [parseRange('34.118.224.0/20')])).toBe(false)
  expect(isPublicAddress('2600:1900::5', [parseRange('2600:1900::/28')])).toBe(false)
  expect(isPublicAddress('34.118.240.10', [parseRange('34.118.224.0/20')])).toBe(true)
})

test.each(['10.0.0.0/33', '10.0.0.0/x', '10.0.0/8', 'fc00::/129', '', '1.2.3.4/8/8'])('%s is no range', text => {
  expect(() => parseRange(text)).toThrow()
})

import { expect, test } from 'bun:test'
import { limitAddress } from './limit-address'

test('all addresses of one /64 share a bucket, and an address of IPv4 has its own however it is written', () => {
  const asked: string[] = []
  const limit = (address: string, kind?: string) =>
    limitAddress(
      {
        takeAddressToken: who => {
          asked.push(who)
          return { taken: true, left: 1, waitMs: 0 }
        },
        clientAddress: () => address,
        addressRateLimit: 120,
      },
      new Request('http://localhost/'),
      { kind },
    )
  limit('2001:db8:0:1::5')
  limit('2001:db8:0:1:9:9:9:9', 'hook ')
  limit('::ffff:192.0.2.1')
  expect(asked).toEqual(['2001:db8:0:1', 'hook 2001:db8:0:1', '192.0.2.1'])
})

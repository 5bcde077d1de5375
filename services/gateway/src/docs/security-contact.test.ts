import { expect, test } from 'bun:test'
import { securityContact } from './security-contact'

const ask = (contact?: string) =>
  securityContact({ securityContact: contact, now: () => new Date('2026-11-26T21:50:00Z') }).handle(
    new Request('http://api.example.com/.well-known/security.txt'),
  )

test('the address for reports is told as RFC 9116 has it, and expires within a year', async () => {
  const answer = await ask('security@example.com')
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await answer.text()).toBe('Contact: mailto:security@example.com\nExpires: 2027-05-25T00:00:00.000Z\nPreferred-Languages: en\n')
  expect(await (await ask('https://example.com/report')).text()).toStartWith('Contact: https://example.com/report\n')
})

test('without an address there is none', async () => {
  expect((await ask()).status).toBe(404)
})

import { expect, test } from 'bun:test'
import { OpsFault } from '../fault'
import type { Json } from '../operator-api'
import { secretsRenew } from './renew'

test('portions follow each other, and a service that is not configured is named', async () => {
  const asked: Json[] = []
  const rows = await secretsRenew(async (service, _method, path, body): Promise<Json> => {
    asked.push([service, path, body ?? null])
    if (service === 'gateway') return { data: [{ secret: 'FILMGATE_KEY_PEPPER', left: 3 }] }
    if (service === 'console') throw new OpsFault('Set FILMGATE_CONSOLE_URL.')
    const next = asked.length < 3 ? 'whe_1' : null
    return { secret: 'FILMGATE_WEBHOOKS_SECRET_KEY', renewed: 2, left: 0, next }
  })
  expect(rows).toEqual([
    { secret: 'FILMGATE_KEY_PEPPER', renewed: 0, left: 3 },
    { secret: 'FILMGATE_WEBHOOKS_SECRET_KEY', renewed: 4, left: 0 },
    { service: 'console', note: 'Set FILMGATE_CONSOLE_URL.' },
  ])
  expect(asked).toEqual([
    ['gateway', '/secrets', null],
    ['webhooks', '/secrets/renew', {}],
    ['webhooks', '/secrets/renew', { after: 'whe_1' }],
    ['console', '/secrets/renew', {}],
  ])
})

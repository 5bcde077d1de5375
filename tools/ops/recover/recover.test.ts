import { expect, test } from 'bun:test'
import type { Call, Json } from '../operator-api'
import type { RecoveryBroker } from './broker'
import { recover } from './recover'

test('services repeat what they decided in the order in which one builds on the other, page by page, and what a person decides is named', async () => {
  const asked: string[] = []
  const call: Call = async (service, method, path, body): Promise<Json> => {
    if (method === 'GET') return path === '/reviews' ? { data: [], total: 3 } : { data: [] }
    if (path === '/decisions') {
      const { events } = body as { events: string[] }
      asked.push(`${service} ${path} ${events.length}`)
      return { restored: 1 }
    }
    const { part = 'epoch', after } = body as { part?: string; after?: string }
    asked.push(`${service} ${path} ${part}${after ? ` after ${after}` : ''}`)
    const next = service === 'gateway' && part === 'tasks' && !after ? 'vt_1' : null
    return { rows: 200, next }
  }
  const broker: RecoveryBroker = {
    mediaDecisions: async () => Array.from({ length: 21 }, () => new Uint8Array([1, 2])),
    republishRequests: async since => asked.push(`broker ${since.toISOString()}`),
    republishNotices: async since => asked.push(`notices ${since.toISOString()}`),
    untilHandled: async names => void asked.push(`handled by ${names.join(', ')}`),
  }
  const words: string[] = []
  const done = await recover(call, broker, { since: '2026-11-26T08:00:00.000Z' }, line => words.push(line))
  expect(asked).toEqual([
    'media-probe /decisions 20',
    'media-probe /decisions 1',
    'broker 2026-11-26T08:00:00.000Z',
    'gateway /replay accounts',
    'gateway /replay changes',
    'gateway /replay tasks',
    'gateway /replay tasks after vt_1',
    'handled by ledger',
    'ledger /epoch epoch',
    'ledger /replay changes',
    'ledger /replay tasks',
    'handled by gateway, probeVerify, dispatcher',
    'media-probe /replay tasks',
    'dispatcher /replay tasks',
    'handled by gateway, dispatcher',
    'notices 2026-11-26T08:00:00.000Z',
    'handled by webhooks',
  ])
  expect(done).toContainEqual({ step: 'gateway tasks', rows: 400 })
  expect(words.join('\n')).toContain('3 reviews are open')
})

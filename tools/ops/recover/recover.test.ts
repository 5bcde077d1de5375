import { expect, test } from 'bun:test'
import type { Call, Json } from '../operator-api'
import { recover } from './recover'

test('services repeat what they decided in the order in which one builds on the other, page by page, and what a person decides is named', async () => {
  const asked: string[] = []
  const call: Call = async (service, method, path, body): Promise<Json> => {
    if (method === 'GET') return path === '/reviews' ? { data: [], total: 3 } : { data: [] }
    const { part = 'epoch', after } = body as { part?: string; after?: string }
    asked.push(`${service} ${path} ${part}${after ? ` after ${after}` : ''}`)
    const next = service === 'gateway' && part === 'tasks' && !after ? 'vt_1' : null
    return path === '/epoch' ? { accounts: 7, next } : { rows: 200, next }
  }
  const words: string[] = []
  const done = await recover(call, { since: '2026-11-26T08:00:00.000Z', waitSeconds: 0 }, line => words.push(line))
  expect(asked).toEqual([
    'gateway /replay accounts',
    'gateway /replay changes',
    'gateway /replay tasks',
    'gateway /replay tasks after vt_1',
    'ledger /epoch epoch',
    'ledger /replay changes',
    'ledger /replay tasks',
    'media-probe /replay tasks',
    'dispatcher /replay tasks',
  ])
  expect(done).toContainEqual({ step: 'gateway tasks', rows: 400 })
  expect(words.join('\n')).toContain('3 reviews are open')
})

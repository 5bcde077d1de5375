import { expect, test } from 'bun:test'
import { OpsFault } from '../fault'
import type { Call, Json } from '../operator-api'
import { restoreOutputs } from './restore-outputs'

test('videos that the store lacks are restored page by page, none that its client deleted, and those that are gone are named', async () => {
  const stored = Array.from({ length: 100 }, (_, at) => ({
    task_id: `vt_a${String(at).padStart(3, '0')}`,
    key: 'k',
    bytes: 3,
    stored_bytes: 3,
  }))
  const missing = ['vt_b1', 'vt_deleted', 'vt_gone'].map(task_id => ({ task_id, key: 'k', bytes: 3, stored_bytes: null }))
  const cut = { task_id: 'vt_cut', key: 'k', bytes: 3, stored_bytes: 2 }
  const [restored, replayed]: [string[], string[]] = [[], []]
  const call: Call = async (service, method, path): Promise<Json> => {
    if (path.startsWith('/facts/outputs')) return { data: path.includes('after=vt_a099') ? [...missing, cut] : stored }
    const [, id = ''] = /(vt_\w+)/.exec(path) ?? []
    if (service === 'gateway') {
      const task = { account_id: 'a1', phase: 'completed', billing_status: 'settled', credits_used: 4, credits_refunded: 0 }
      return { data: [{ ...task, task_id: id, changed_at: '2026-11-26T08:00:00.000Z', deleted: id === 'vt_deleted' }] }
    }
    if (path === `/tasks/${id}/replay`) {
      replayed.push(id)
      return { published: ['generationCompleted'] }
    }
    expect([method, path]).toEqual(['POST', `/tasks/${id}/restore-output`])
    if (id === 'vt_gone') throw new OpsFault('The dispatcher refused: 409 output_gone', 409)
    restored.push(id)
    return { task_id: id, copied_bytes: 3 }
  }
  expect(await restoreOutputs(call, { since: '2026-11-26T08:00:00.000Z' }, () => {})).toEqual({
    compared: 104,
    restored: 2,
    lost: [{ task_id: 'vt_gone', cause: 'The dispatcher refused: 409 output_gone' }],
  })
  expect([restored, replayed]).toEqual([
    ['vt_b1', 'vt_cut'],
    ['vt_b1', 'vt_cut'],
  ])
})

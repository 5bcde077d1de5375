import { expect, test } from 'bun:test'
import { type ProviderAnswer, ProviderTrouble } from '../call'
import { findTask } from './find-task'

const attemptId = 'at_0190f3c4a1b27cd28ef0123456789abc'
/** The time that is in it. */
const at = new Date(0x0190f3c4a1b2).getTime()

type Entry = { id: string; payload?: string }

/** Vidu's list in pages, and what its tasks carry beside it; a task without an entry there breaks. */
function vidu(pages: Entry[][], carried: Record<string, string> = {}) {
  const queries: Record<string, string>[] = []
  const asked: string[] = []
  return {
    queries,
    asked,
    known: new Map<string, string>(),
    async list(query: Record<string, string>): Promise<ProviderAnswer> {
      queries.push(query)
      const page = Number(query['pager.page_token'] ?? 0)
      return { status: 200, body: { tasks: pages[page] ?? [], next_page_token: page + 1 < pages.length ? String(page + 1) : '' } }
    },
    async payloadOf(id: string) {
      asked.push(id)
      if (!(id in carried)) throw new ProviderTrouble('answered 500', true)
      return carried[id]
    },
  }
}

test('a task is found by what its entry repeats, in the time of its attempt, on whatever page', async () => {
  const provider = vidu([[{ id: '1', payload: 'at_other' }], [{ id: '2', payload: attemptId }]])
  expect(await findTask(provider, attemptId)).toBe('2')
  const span = { 'created_at.from': new Date(at - 60_000).toISOString(), 'created_at.to': new Date(at + 60_000).toISOString() }
  expect(provider.queries).toEqual([
    { ...span, 'pager.pagesz': '100' },
    { ...span, 'pager.pagesz': '100', 'pager.page_token': '1' },
  ])
  expect(provider.asked).toEqual([])
})

test('of a busy quarter of an hour the two minutes around its attempt are read by themselves, then the rest', async () => {
  const near = vidu(Array.from({ length: 5 }, (_, page) => [{ id: `near-${page}`, payload: 'at_other' }]))
  const later = vidu([[{ id: 'later', payload: attemptId }]])
  const isNear = (query: Record<string, string>) => query['created_at.from'] === new Date(at - 60_000).toISOString()
  const list = (query: Record<string, string>) => (isNear(query) ? near : later).list(query)
  expect(await findTask({ ...near, list }, attemptId)).toBe('later')
  expect(near.queries.length).toBe(5)
  expect(later.queries).toEqual([
    {
      'created_at.from': new Date(at + 60_001).toISOString(),
      'created_at.to': new Date(at + 900_000).toISOString(),
      'pager.pagesz': '100',
    },
  ])
})

test('an entry that doesn’t say what it carries is asked for, once', async () => {
  const provider = vidu([[{ id: '1' }, { id: '2', payload: '' }]], { '1': 'at_other', '2': '' })
  expect(await findTask(provider, attemptId)).toBeUndefined()
  expect(await findTask(provider, attemptId)).toBeUndefined()
  expect(provider.asked).toEqual(['1', '2'])
  const other = vidu([[{ id: '1' }]], { '1': attemptId })
  expect(await findTask({ ...other, known: provider.known }, attemptId)).toBeUndefined()
  expect(await findTask(other, attemptId)).toBe('1')
})

test('many of them are asked for some at a time, until the one is found', async () => {
  const ids = Array.from({ length: 50 }, (_, index) => String(index))
  const provider = vidu([ids.map(id => ({ id }))], { ...Object.fromEntries(ids.map(id => [id, 'at_other'])), '49': attemptId })
  expect(await findTask(provider, attemptId)).toBeUndefined()
  expect(provider.asked.length).toBe(20)
  expect(await findTask(provider, attemptId)).toBeUndefined()
  expect(await findTask(provider, attemptId)).toBe('49')
  expect(provider.asked.length).toBe(50)
})

test('one without an answer hides no other, and is asked for again', async () => {
  const provider = vidu([[{ id: '1' }, { id: '2' }]], { '2': attemptId })
  expect(await findTask(provider, attemptId)).toBe('2')
  expect(await findTask(vidu([[{ id: '1' }]]), attemptId)).toBeUndefined()
  const again = { ...provider, ...vidu([[{ id: '1' }]], { '1': attemptId }), known: provider.known }
  expect(await findTask(again, attemptId)).toBe('1')
})

test('one that Vidu doesn’t know yet when it is asked about is asked for again', async () => {
  const early = { ...vidu([[{ id: '1' }]], {}), payloadOf: async () => undefined }
  expect(await findTask(early, attemptId)).toBeUndefined()
  expect(await findTask({ ...vidu([[{ id: '1' }]], { '1': attemptId }), known: early.known }, attemptId)).toBe('1')
})

test('a list without an end is read so far, and what is no task is passed over', async () => {
  const provider = vidu(Array.from({ length: 9 }, (_, index) => [{ id: String(index), payload: 'at_other' }]))
  expect(await findTask(provider, attemptId)).toBeUndefined()
  expect(provider.queries.length).toBe(2 * 5)
  const odd = vidu([[7, null, { id: '../x', payload: attemptId }, { id: '1', payload: attemptId }] as never])
  expect(await findTask(odd, attemptId)).toBe('1')
})

test('what is no list is no answer', async () => {
  for (const answer of [
    ...[
      { status: 200, body: {} },
      { status: 401, body: { reason: 'Unauthorized' } },
      { status: 500, body: { tasks: [] } },
    ],
    ...[{ status: 200, body: { tasks: [], next_page_token: 7 } }],
  ])
    await expect(findTask({ ...vidu([]), list: async () => answer }, attemptId)).rejects.toThrow(ProviderTrouble)
})

test('what is remembered of tasks is bounded', async () => {
  const known = new Map(Array.from({ length: 10_000 }, (_, index): [string, string] => [`k${index}`, '']))
  await findTask({ ...vidu([[{ id: '1' }]], { '1': '' }), known }, attemptId)
  expect([known.size, known.has('k0'), known.has('1')]).toEqual([10_000, false, true])
})

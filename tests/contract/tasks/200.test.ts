import { expect, test } from 'bun:test'
import { addKey, openAccount } from '../../support/client/account'
import { smallRequest } from '../../support/client/request'
import { simulator } from '../../support/simulator'

test('an account’s tasks, newest first, as each is read alone, a page at a time and by status', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const ids: string[] = []
  for (const behaviour of ['instant', 'instant', 'never_finishes']) {
    const request = smallRequest()
    await simulator.behave(request.prompt, [{ name: behaviour }])
    const { id } = (await api.generate(request)).body
    ids.unshift(id)
    if (behaviour === 'instant') await api.taskOnce(id)
  }
  const list = async (query: string) => JSON.parse((await api.get(`/tasks${query}`)).text)
  const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
  const all = await list('')
  expect(idsOf(all)).toEqual(ids)
  expect(all.data[1]).toEqual((await api.task(ids[1] ?? '')).body)
  expect(idsOf(await list('?status=completed'))).toEqual(ids.slice(1))
  expect(idsOf(await list('?status=processing'))).toEqual(ids.slice(0, 1))
  const first = await list('?limit=2')
  expect([idsOf(first), first.has_more]).toEqual([ids.slice(0, 2), true])
  const second = await list(`?limit=2&cursor=${first.next_cursor}`)
  expect([idsOf(second), second.has_more, second.next_cursor]).toEqual([ids.slice(2), false, null])
})

test('a lost task is found by its Idempotency-Key, through the same API key alone', async () => {
  const [{ api, accountId }, other] = await Promise.all([openAccount(), openAccount()])
  const idempotencyKey = `order.${crypto.randomUUID()}`
  const { body } = await api.generate(smallRequest(), { idempotencyKey })
  await api.generate(smallRequest())
  await api.taskOnce(body.id)
  const listed = async (from: typeof api, query = '') => {
    const { data, has_more } = JSON.parse((await from.get(`/tasks?idempotency_key=${idempotencyKey}${query}`)).text)
    return [data.map(({ id }: { id: string }) => id), has_more]
  }
  expect(await listed(api)).toEqual([[body.id], false])
  expect(await listed(api, '&status=completed&limit=1')).toEqual([[body.id], false])
  const none = [[], false]
  expect(await listed(api, '&status=failed')).toEqual(none)
  expect(await listed(await addKey(accountId))).toEqual(none)
  expect(await listed(other.api)).toEqual(none)
  expect(await listed(api, 'x')).toEqual(none)
})

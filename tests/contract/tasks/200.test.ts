import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
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

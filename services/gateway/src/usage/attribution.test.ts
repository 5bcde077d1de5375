import { afterAll, expect, test } from 'bun:test'
import { tagParameter } from '../tags/tag-parameter'
import { dimensions } from './dimensions'
import { fillKeys } from './fill-keys'
import { day, refunded, reserved, usageRecords } from './testing/usage-records'

const { sql, newAccount, newTask, record, client, drop } = await usageRecords()
afterAll(drop)

const spring = { project: 'spring', shot: '1' }
const autumn = { project: 'a, "b"=c', shot: '2' }

/** Of three API tasks and one of the console; the second is refunded. */
async function accountWithTags() {
  const account = await newAccount()
  const a = await newTask(account, { keyId: 'ka', tags: spring })
  const b = await newTask(account, { keyId: 'kb', tags: autumn, model: 'beta-2.5' })
  const c = await newTask(account, { keyId: 'kb' })
  const web = await newTask(account, { keyId: `console:${account}`, surface: 'web', tags: spring })
  await record([
    reserved(a, 40n, 60n, day('20T10:00:00')),
    reserved(b, 10n, 50n, day('21T10:00:00')),
    reserved(c, 20n, 30n, day('21T11:00:00')),
    refunded(b, 10n, 40n, day('21T12:00:00')),
    reserved(web, 5n, 35n, day('21T13:00:00')),
  ])
  return { account, a, b, c, ...client(account) }
}

test('a record has the key and the tags of its task, and nothing of the console’s', async () => {
  const { get, csv, a, b, c } = await accountWithTags()
  const { data } = await get('/usage')
  expect(data.map(({ task_id, key_id, tags }) => [task_id, key_id, tags])).toEqual([
    [null as never, null, null],
    [b, 'kb', autumn],
    [c, 'kb', null],
    [b, 'kb', autumn],
    [a, 'ka', spring],
  ])
  expect((await csv('/usage?tag=shot=2')).text.split('\r\n')[1]).toEndWith(',api,kb,"shot=2,project=a%2C%20%22b%22%3Dc"')
})

test('records and sums are found by key and by tag, each exactly, and not those of the console', async () => {
  const { get, a, b, c } = await accountWithTags()
  const tasksOf = async (query: string) => (await get(`/usage?${query}`)).data.map(({ task_id }) => task_id)
  expect(await tasksOf('key_id=kb')).toEqual([b, c, b])
  expect(await tasksOf('tag=project=spring')).toEqual([a])
  expect(await tasksOf(`tag=${encodeURIComponent('project=a, "b"=c')}&key_id=kb`)).toEqual([b, b])
  expect([await tasksOf('tag=project=spring&key_id=kb'), await tasksOf('tag=project=sprin')]).toEqual([[], []])
  const netOf = async (query: string) => (await get(`/usage/summary?${query}`)).data.map(sum => (sum as unknown as Sum).credits_net)
  expect(await netOf('key_id=kb')).toEqual([20, 0])
  expect(await netOf('tag=project=spring')).toEqual([40])
})

type Sum = { credits_net: number; credits_used: number; generations: number }

test('sums are by what is named: key, tag, day, model or nothing of them', async () => {
  const { get, csv } = await accountWithTags()
  const sums = async (by: string) =>
    ((await get(`/usage/summary?by=${by}`)).data as unknown as Sum[]).map(
      ({ credits_used: used, credits_net: net, generations: _, ...sum }) => {
        const { refunds: __, billed_seconds: ___, credits_refunded: ____, ...group } = sum as Record<string, unknown>
        return [group, used, net]
      },
    )
  expect(await sums('key')).toEqual([
    [{ key_id: 'ka' }, 40, 40],
    [{ key_id: 'kb' }, 30, 20],
    [{ key_id: null }, 5, 5],
  ])
  expect(await sums('tag:project')).toEqual([
    [{ tag: 'project=a, "b"=c' }, 10, 0],
    [{ tag: 'project=spring' }, 40, 40],
    [{ tag: null }, 25, 25],
  ])
  expect(await sums('tag:shot,day')).toEqual([
    [{ day: '2026-11-21', tag: 'shot=2' }, 10, 0],
    [{ day: '2026-11-21', tag: null }, 25, 25],
    [{ day: '2026-11-20', tag: 'shot=1' }, 40, 40],
  ])
  expect((await csv('/usage/summary?by=tag:project')).text).toBe(
    [
      'tag,generations,refunds,billed_seconds,credits_used,credits_refunded,credits_net',
      '"project=a, ""b""=c",1,1,0,10,10,0',
      'project=spring,1,0,5,40,0,40',
      ',2,0,5,25,0,25',
      '',
    ].join('\r\n'),
  )
  expect(await get('/usage/summary?by=day,model')).toEqual(await get('/usage/summary'))
})

test.each(['project', 'Project=x', 'project=', 'a=\u0001', '=x', `a=${'x'.repeat(65)}`])('%p is no tag to look for', raw => {
  expect(() => tagParameter(raw)).toThrow('must be a tag such as project=spring')
})

test.each(['', 'day,day', 'hour', 'tag:', 'tag:A', 'tag:a,tag:b', 'day,model,key,tag:a,x', 'day, model'])(
  '%p is nothing to sum by',
  raw => {
    expect(() => dimensions(raw)).toThrow('must be of day, model, key and one tag:NAME')
  },
)

test('tasks are found by a tag, and those of other accounts and of the console are not', async () => {
  const { account, get, a } = await accountWithTags()
  await newTask(await newAccount(), { tags: spring })
  expect(account).toBeString()
  expect((await get('/tasks?tag=project=spring')).data.map(({ id }) => id)).toEqual([a])
  expect((await get('/tasks?tag=project=spring&status=failed')).data).toEqual([])
})

test('records of a version before get the key and tags of their tasks, once; a task that is gone leaves none', async () => {
  const { account, get, a, b, c } = await accountWithTags()
  await sql`update usage_entry set key_id = null, tags = null where account_id = ${account}`
  await sql`update usage_entry set surface = null where account_id = ${account} and task_id = ${a}`
  await sql`delete from task where id = ${c}`
  expect(await fillKeys(sql, new AbortController().signal)).toBe(4)
  expect((await get('/usage')).data.map(({ task_id, key_id, tags }) => [task_id, key_id, tags])).toEqual([
    [null as never, null, null],
    [b, 'kb', autumn],
    [c, null, null],
    [b, 'kb', autumn],
    [a, 'ka', spring],
  ])
  expect(await fillKeys(sql, new AbortController().signal)).toBe(0)
})

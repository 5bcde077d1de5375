import { afterAll, expect, test } from 'bun:test'
import { members } from '../members/routes'
import { settings } from '../settings/routes'
import { openConsole } from '../testing/open-console'
import { limitPerson } from './limit-person'

const perMinute = 5
const it = await openConsole(deps => {
  const limited = { ...deps, findPerson: limitPerson(deps.findPerson, perMinute) }
  return members(limited).use(settings(limited))
})
afterAll(it.close)

test('a person has so many requests a minute over all pages; the next is a page that says how long to wait', async () => {
  const { owner, member, path } = await it.newAccount()
  const paths = [`${path}/members`, `${path}/settings`, '/no/such/page']
  const asked = [...Array.from({ length: perMinute }, (_, index) => paths[index % 2] ?? ''), ...paths]
  const answers = []
  for (const at of asked) answers.push(await it.ask(owner, at))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429, 404])
  const refused = answers[perMinute]
  expect(refused?.text).toContain('<h1>Too many requests</h1>')
  expect(refused?.text).toMatch(/Wait (5\d|60) seconds and try again/)
  expect(Number(refused?.headers.get('retry-after'))).toBeWithin(50, 61)
  const script = await it.ask(owner, `${path}/settings`, { headers: { accept: 'application/json' } })
  expect([script.status, JSON.parse(script.text).error.code]).toEqual([429, 'too_many'])
  expect((await it.ask(member, `${path}/members`)).status).toBe(200)
})

import { expect, test } from 'bun:test'
import type { VisitorName } from '../console/matrix/cast'
import { type Cell, listRoutes, nameOf, ofOperators, tryRoute } from '../console/matrix/cells'
import { type Target, targets } from '../console/matrix/expected'
import { furnish } from '../console/matrix/furnish'
import { judge } from '../console/matrix/judge'
import { neededRoles } from '../console/matrix/needed-roles'
import { password, signUpByWire } from '../console/people/sign-up'
import { hiddenIn, openWire, type Wire } from '../console/people/wire'
import { createApi } from '../support/client/api'
import { consoleOf } from '../support/client/console'
import { ownWords } from '../support/client/request'
import { until } from '../support/until'

const model = 'alpha-h3'
const revokedWithinMs = 5_000

test('a newcomer signs up, makes a video with starter credits, and a key that stops when it is revoked', async () => {
  const { wire, accountId, email } = await signUpByWire('Nora')
  const at = (path: string) => `/accounts/${accountId}${path}`
  expect((await wire.get(at(''))).text).toContain('Starter credits')

  const asked = { model, mode: 'text-to-video', prompt: ownWords(), duration: '4', resolution: '768p', aspect_ratio: '16:9' }
  const script = { accept: 'application/json' }
  const { price } = JSON.parse((await wire.post(at('/playground/estimate'), asked, script)).text) as { price: string }
  expect(price).toMatch(/Starter credits after<\/dt><dd>\d+/)
  const form = hiddenIn((await wire.get(at(`/playground?model=${model}`))).text, 'form')
  const made = await wire.post(at('/playground'), { ...asked, form })
  expect([made.status, made.location?.startsWith(at('/tasks/'))]).toEqual([303, true])
  // The same form sent again leads to the same task.
  expect((await wire.post(at('/playground'), { ...asked, form })).location).toBe(made.location)
  await consoleOf(accountId).taskOnce(made.location?.split('/').at(-1) ?? '')
  expect((await wire.get(made.location ?? '')).text).toContain('<video')

  const keyForm = hiddenIn((await wire.get(at('/keys'))).text, 'form')
  const shown = (await wire.post(at('/keys'), { form: keyForm, name: 'Website', expires: 'never', date: '' })).text
  const secret = /sk_live_\w+/.exec(shown)?.[0] ?? ''
  const keys = (await wire.get(at('/keys'))).text
  expect([secret.length > 40, keys.includes('Website'), keys.includes(secret)]).toEqual([true, true, false])
  const api = createApi(secret)
  // Starter credits fund nothing that a key asks for.
  expect((await api.generate({ model, prompt: ownWords(), duration: 4, resolution: '768p' })).status).toBe(402)
  expect(await api.credits()).toBe(0)
  expect((await wire.get(at('/usage'))).text).toContain(model)

  const revoke = /href="([^"]+\/revoke)"/.exec(keys)?.[1] ?? ''
  const revokedAt = Date.now()
  expect((await wire.post(revoke)).status).toBe(303)
  await until('the revoked key to be refused', async () => (await api.get('/credits')).status === 401, revokedWithinMs)
  expect(Date.now() - revokedAt).toBeLessThanOrEqual(revokedWithinMs)

  const other = openWire()
  expect((await other.post('/sign-in', { email, password, next: '//evil.example' })).location).toBe('/')
  expect((await other.post('/sign-out')).status).toBe(303)
  expect((await other.get(at(''))).location).toStartWith('/sign-in')
}, 120_000)

test('what is another’s is not there, on any route, and no route is without a row that says who may', async () => {
  const people = await Promise.all(['Olga', 'Fred', 'Sten'].map(signUpByWire))
  const [own, foreign, strangers] = await Promise.all(people.map(furnish))
  const [owner, , stranger] = people.map(({ wire }) => wire)
  if (!own || !foreign || !strangers || !owner || !stranger) throw new Error('somebody did not sign up')
  const wires = { owner, stranger, 'signed out': openWire() } as Record<VisitorName, Wire>
  const routes = await listRoutes()
  expect(routes.map(nameOf).filter(name => !neededRoles[name])).toEqual([])
  const asked: [VisitorName, readonly Target[]][] = [
    ['owner', ['foreign', 'crossed', 'unknown']],
    ['stranger', targets],
    ['signed out', ['own']],
  ]
  const cells: Cell[] = []
  const tried = asked.map(async ([visitor, at]) => {
    for (const route of routes.filter(route => !ofOperators(route)))
      cells.push(...(await tryRoute({ wires, own, foreign }, route, visitor, at)))
  })
  await Promise.all(tried)
  const faults: string[] = []
  const report = {
    check: (name: string, holds: boolean, words = '') => void (holds || faults.push(`${name}: ${words}`)),
    figure: () => {},
  }
  judge(report, { own, foreign, strangers }, cells)
  expect(faults).toEqual([])
  expect(cells.length).toBeGreaterThan(500)
}, 120_000)

test('the chart publishes every path of the console but those that are for us', async () => {
  const values = Bun.YAML.parse(await Bun.file(`${import.meta.dir}/../../charts/console/values.yaml`).text()) as Record<
    'ingress' | 'httpRoute',
    { paths: string[] }
  >
  const ours = ['/healthz', '/readyz', '/metrics', '/development']
  const needed = new Set((await listRoutes()).map(({ path }) => `/${path.split('/')[1]}`).filter(path => !ours.includes(path)))
  for (const { paths } of [values.ingress, values.httpRoute])
    expect([[...needed].filter(path => !paths.includes(path)), paths.filter(path => ours.includes(path))]).toEqual([[], []])
})

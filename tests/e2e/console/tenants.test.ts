import { expect, test } from 'bun:test'
import type { VisitorName } from '../../console/matrix/cast'
import { type Cell, listRoutes, nameOf, ofOperators, tryRoute } from '../../console/matrix/cells'
import { type Target, targets } from '../../console/matrix/expected'
import { furnish } from '../../console/matrix/furnish'
import { judge } from '../../console/matrix/judge'
import { neededRoles } from '../../console/matrix/needed-roles'
import { signUpByWire } from '../../console/people/sign-up'
import { openWire, type Wire } from '../../console/people/wire'

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
  const values = Bun.YAML.parse(await Bun.file(`${import.meta.dir}/../../../charts/console/values.yaml`).text()) as Record<
    'ingress' | 'httpRoute',
    { paths: string[] }
  >
  const ours = ['/healthz', '/readyz', '/development', '/operator']
  const needed = new Set((await listRoutes()).map(({ path }) => `/${path.split('/')[1]}`).filter(path => !ours.includes(path)))
  for (const { paths } of [values.ingress, values.httpRoute])
    expect([[...needed].filter(path => !paths.includes(path)), paths.filter(path => ours.includes(path))]).toEqual([[], []])
})

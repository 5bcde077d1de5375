import type { Report } from '../../support/suite/report'
import { timed } from '../../support/until'
import { openOperator } from '../people/operators'
import type { Newcomer } from '../people/sign-up'
import type { Wire, WireAnswer } from '../people/wire'
import { fill, requests, tasks } from './fill'
import { percentile } from './percentile'
import { watchServer } from './server-times'

const serverMsMax = 50
const warmUps = 20
const visits = 100

type Listed = { name: string; path: string; wire: Wire; rows: RegExp }

/** What an account of many tasks shows: each page of it within so many ms of the console's time, however far down and whatever is asked for. */
export async function proveLists(report: Report, { accountId, wire }: Newcomer): Promise<void> {
  await fill(accountId)
  const operator = await openOperator('read')
  const [account, task] = [`/accounts/${accountId}`, /data-task=/]
  const filters = { all: '', failed: '?status=failed', web: '?surface=web', 'failed of the web': '?status=failed&surface=web' }
  const lists: Listed[] = [
    ...Object.entries(filters).map(([name, query]): Listed => ({ name, path: `${account}/tasks${query}`, wire, rows: task })),
    { name: 'audit log of keys', path: `${account}/members/log?group=keys`, wire, rows: /No entry matches/ },
    { name: 'log of acts', path: `${account}/members/log`, wire, rows: /years@people\.example/ },
    { name: 'tasks for operators', path: `/operate/tasks?account=${accountId}`, wire: operator, rows: /vt_0000/ },
  ]
  const refusals = { all: '', refused: '?result=refused', 'of a code': '?code=insufficient_credits', 'of a key': '?key=key_of_nobody' }
  for (const [name, query] of Object.entries(refusals)) {
    const list = { name: `requests, ${name}`, path: `${account}/requests${query}`, wire, rows: /\/video\/generations|No request matches/ }
    const { server, words } = await measure(report, list)
    report.check(`${list.name}, of ${requests}: 99 of 100 pages within ${serverMsMax} ms of the console`, server <= serverMsMax, words)
  }
  // Sums over a month of it are no list: figures alone.
  await measure(report, { name: 'usage', path: `${account}/usage`, wire, rows: /alpha-h3/ })
  await measure(report, { name: 'overview', path: account, wire, rows: /alpha-h3/ })
  for (const list of lists) {
    const { server, words } = await measure(report, list)
    report.check(`${list.name} of ${tasks} tasks: 99 of 100 pages within ${serverMsMax} ms of the console`, server <= serverMsMax, words)
  }
}

/** The p99 of the console's own time, until the answer has left: what it waits for other services and for a processor is in it. */
async function measure(report: Report, { name, path, wire, rows }: Listed): Promise<{ server: number; words: string }> {
  async function look(at: string): Promise<{ answer: WireAnswer; ms: number; older: string | undefined }> {
    const { answer, ms } = await timed(wire.get(at))
    if (answer.status !== 200 || !rows.test(answer.text)) throw new Error(`${at}: ${answer.status} ${answer.text.slice(0, 2_000)}`)
    return { answer, ms, older: /href="([^"]*(?:cursor|before|after)=[^"]*)"/.exec(answer.text)?.[1]?.replaceAll('&amp;', '&') }
  }
  for (let visit = 0; visit < warmUps; visit++) await look(path)
  const watch = watchServer()
  const looks: Awaited<ReturnType<typeof look>>[] = []
  let next = path
  // Older and older, where there is a page after this one: it must cost what the first one does.
  for (let visit = 0; visit < visits; visit++) {
    const seen = await look(next)
    looks.push(seen)
    next = seen.older ?? path
  }
  const server = await watch.timesOf(looks.map(({ answer }) => answer))
  const wall = looks.map(({ ms }) => ms)
  const figures = { serverP50Ms: percentile(server, 0.5), serverP99Ms: percentile(server, 0.99) }
  const walls = { p50Ms: percentile(wall, 0.5), p99Ms: percentile(wall, 0.99) }
  for (const [figure, ms] of Object.entries({ ...figures, ...walls })) report.figure(`speed.list.${name}.${figure}`, ms)
  return { server: figures.serverP99Ms, words: JSON.stringify({ ...figures, ...walls }) }
}

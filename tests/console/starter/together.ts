import { consoleOf } from '../../support/client/console'
import { ownWords } from '../../support/client/request'
import { ledgerTask } from '../../support/operator/operator'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { type Newcomer, signInByWire } from '../people/sign-up'
import type { Wire } from '../people/wire'
import { apiAsks, askTogether, checkAnswers, consoleAsks } from './crowd'
import { askForVideo, ledgerOf, type Owned, openPurse, type Purse, purseOf } from './purse'

/** As an account has them where nobody sets others. */
const unfinishedMax = 3
const minuteMax = 30

type Round = { name: string; owned: Owned; wires: Wire[]; behaviour: Behaviour }

/** The console and the API together never pass what they share: the unfinished tasks, and the credits. */
export async function proveTogether(report: Report, person: Newcomer): Promise<void> {
  const sessions = [person.wire, await signInByWire(person.email)]
  const rich = await openPurse(person, price => ({ paid: 100 * price, starter: price - 5 }))
  const held = await goRound(report, { name: 'held', owned: rich, wires: [person.wire], behaviour: { name: 'never_finishes' } })
  report.check('held: three are taken, and no more', held.taskIds.length === unfinishedMax, String(held.taskIds.length))
  report.check('held: beyond thirty a minute a form waits', held.limited.length === consoleAsks - minuteMax, String(held.limited.length))
  const told = Math.max(...held.limited.map(({ headers }) => Number(headers.get('retry-after'))))
  const dueAt = performance.now() + told * 1_000

  const poor = await openPurse(person, price => ({ paid: price + 1, starter: price + 2 }))
  const short = await goRound(report, { name: 'short', owned: poor, wires: sessions, behaviour: { name: 'instant' } })
  report.check('short: two are paid for, and no more', short.taskIds.length === 2, String(short.taskIds.length))
  const rest = await purseOf(poor.accountId)
  report.check('short: what two leave is left', rest.paid + rest.starter === 3, JSON.stringify(rest))

  const unlucky = await openPurse(person, price => ({ paid: 10 * price, starter: price - 5 }))
  const before = await purseOf(unlucky.accountId)
  await goRound(report, { name: 'failing', owned: unlucky, wires: sessions, behaviour: { name: 'fails_after_accept' } })
  const after = await purseOf(unlucky.accountId)
  report.check('failing: both balances are as before', Bun.deepEquals(before, after), JSON.stringify({ before, after }))

  await until('the minute to be over', async () => performance.now() >= dueAt, 70_000)
  const waited = await askForVideo(person.wire, rich.accountId, held.prompt, held.limited[0]?.form)
  report.check('whoever waits as told is let in with the same form', waited.status === 303, `${waited.status} ${waited.text.slice(0, 300)}`)
  await releaseAll(held.prompt)
  await consoleOf(rich.accountId).taskOnce(waited.taskId ?? '')
  await goRound(report, { name: 'quick', owned: rich, wires: sessions, behaviour: { name: 'instant' } })
}

async function goRound(report: Report, { name, owned, wires, behaviour }: Round) {
  const { accountId, price } = owned
  const prompt = ownWords()
  await simulator.behave(prompt, [behaviour])
  const before = await purseOf(accountId)
  const crowd = await askTogether(owned, wires, prompt)
  const { taskIds, limited, most, samples, least } = crowd
  checkAnswers(report, name, crowd)
  report.check(`${name}: some are taken`, taskIds.length > 0)
  report.check(`${name}: never more than three unfinished`, most <= unfinishedMax, String(most))
  report.check(`${name}: never more spent than there is`, least >= 0, String(least))
  report.check(`${name}: at most thirty forms are looked at`, limited.length >= consoleAsks - minuteMax, String(limited.length))
  if (behaviour.name === 'never_finishes') await releaseAll(prompt)
  for (const id of taskIds) await consoleOf(accountId).taskOnce(id)
  await until('nothing to be open', async () => (await ledgerOf(accountId)).open === 0)
  await checkCharges(report, { name, accountId, price, taskIds, before })
  const submits = (await simulator.submits(prompt)).length
  if (behaviour.name !== 'fails_after_accept')
    report.check(`${name}: the provider was asked for these alone`, submits === taskIds.length, `${submits} for ${taskIds.length}`)
  for (const [figure, value] of Object.entries({
    asked: consoleAsks + apiAsks,
    taken: taskIds.length,
    mostUnfinished: most,
    samples,
    limited: limited.length,
  }))
    report.figure(`starter.${name}.${figure}`, value)
  return { ...crowd, prompt }
}

type Charged = { name: string; accountId: string; price: number; taskIds: string[]; before: Purse }
type Usage = { data: { task_id: string | null; kind: string }[] }

/** Each that was taken cost its price once, those that failed nothing; nothing else cost anything. */
async function checkCharges(report: Report, { name, accountId, price, taskIds, before }: Charged): Promise<void> {
  const tasks = await Promise.all(taskIds.map(ledgerTask))
  const once = tasks.every(
    ({ entries }) => sumOf(entries, 'reserve') === -price && entries.filter(({ kind }) => kind === 'settle').length <= 2,
  )
  report.check(`${name}: each is charged its price once`, once, JSON.stringify(tasks))
  const after = await purseOf(accountId)
  const spent = tasks.reduce((sum, { entries }) => sum - sumOf(entries), 0)
  const gone = before.paid + before.starter - after.paid - after.starter
  report.check(`${name}: the balances have paid for these alone`, gone === spent, `${gone} instead of ${spent}`)
  const { data } = await consoleOf(accountId).read<Usage>('/usage?limit=100')
  const records = data.filter(({ kind, task_id }) => kind === 'reservation' && taskIds.includes(task_id ?? ''))
  report.check(`${name}: usage has each once`, records.length === taskIds.length, `${records.length} of ${taskIds.length}`)
}

/** What the entries moved on the account's two balances. */
const sumOf = (entries: { kind: string; book: string; credits: number }[], only?: string): number =>
  entries
    .filter(({ kind, book }) => book.startsWith('customer_') && (only === undefined || kind === only))
    .reduce((sum, { credits }) => sum + credits, 0)

/** And those that come with these words later. */
async function releaseAll(prompt: string): Promise<void> {
  for (const { generation_id } of await simulator.submits(prompt)) if (generation_id) await simulator.release(generation_id)
}

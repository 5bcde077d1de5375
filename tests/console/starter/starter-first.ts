import { consoleOf } from '../../support/client/console'
import { ownWords } from '../../support/client/request'
import { ledgerTask } from '../../support/operator/operator'
import { simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import type { Newcomer } from '../people/sign-up'
import { askForVideo, openPurse, purseOf } from './purse'

const paid = 100
const lacking = 5

/** The starter balance pays first, the paid one what it lacks; what comes back goes where it came from. */
export async function proveStarterFirst(report: Report, person: Newcomer): Promise<void> {
  await proveSpent(report, person)
  await proveReturned(report, person)
  await proveTooLittle(report, person)
}

async function proveSpent(report: Report, person: Newcomer): Promise<void> {
  const { accountId, wire, price } = await openPurse(person, price => ({ paid, starter: price - lacking }))
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const asked = await askForVideo(wire, accountId, prompt)
  await consoleOf(accountId).taskOnce(asked.taskId ?? '')
  const expected = { paid: paid - lacking, starter: 0 }
  const purse = () => purseOf(accountId)
  report.check('starter credits are spent first, then paid ones', Bun.deepEquals(await purse(), expected), JSON.stringify(await purse()))
  await checkEntries(report, asked.taskId, [
    `reserve customer_paid -${lacking}`,
    `reserve customer_starter -${price - lacking}`,
    `reserve reserved ${price}`,
    `settle reserved -${price}`,
    `settle revenue ${price}`,
  ])
  const again = await askForVideo(wire, accountId, prompt, asked.form)
  report.check('the same form is the same video', again.location === asked.location, `${again.status} ${again.location}`)
  report.check('and costs nothing more', Bun.deepEquals(await purse(), expected), JSON.stringify(await purse()))
  const next = await askForVideo(wire, accountId, prompt)
  await consoleOf(accountId).taskOnce(next.taskId ?? '')
  const rest = await purse()
  report.check(
    'the next is paid from the paid balance alone',
    rest.starter === 0 && rest.paid === expected.paid - price,
    JSON.stringify(rest),
  )
}

async function proveReturned(report: Report, person: Newcomer): Promise<void> {
  const { accountId, wire, price } = await openPurse(person, price => ({ paid, starter: price - lacking }))
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'fails_after_accept' }])
  const { taskId } = await askForVideo(wire, accountId, prompt)
  const { status } = await consoleOf(accountId).taskOnce(taskId ?? '')
  report.check('the video fails', status === 'failed', status)
  const back = { paid, starter: price - lacking }
  await until('the refund', async () => (await purseOf(accountId)).paid === paid)
  const purse = await purseOf(accountId)
  report.check('what was starter is starter again, what was paid is paid', Bun.deepEquals(purse, back), JSON.stringify(purse))
  await checkEntries(report, taskId, [
    `reserve customer_paid -${lacking}`,
    `reserve customer_starter -${price - lacking}`,
    `reserve reserved ${price}`,
    `refund customer_paid ${lacking}`,
    `refund customer_starter ${price - lacking}`,
    `refund reserved -${price}`,
  ])
}

async function proveTooLittle(report: Report, person: Newcomer): Promise<void> {
  const { accountId, wire, price } = await openPurse(person, price => ({ paid: lacking, starter: price - lacking - 1 }))
  const { status, text } = await askForVideo(wire, accountId, ownWords())
  report.check('a credit too few in both is refused', status === 402, String(status))
  const tells = text.includes('Your balances are too low') && text.includes(`href="/accounts/${accountId}/billing">Buy credits`)
  report.check('its page says so and leads to billing', tells, text.slice(0, 500))
  const purse = await purseOf(accountId)
  report.check('and both are as they were', Bun.deepEquals(purse, { paid: lacking, starter: price - lacking - 1 }), JSON.stringify(purse))
}

async function checkEntries(report: Report, taskId: string | undefined, expected: string[]): Promise<void> {
  const { entries } = await ledgerTask(taskId ?? '')
  const words = entries.map(({ kind, book, credits }) => `${kind} ${book} ${credits}`).toSorted()
  report.check('the ledger’s entries say the same', Bun.deepEquals(words, expected.toSorted()), words.join(', '))
}

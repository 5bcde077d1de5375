import { createApi } from '../../support/client/api'
import { consoleOf } from '../../support/client/console'
import { ownWords, smallRequest } from '../../support/client/request'
import { simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import type { Newcomer } from '../people/sign-up'
import { hiddenIn } from '../people/wire'
import { askForVideo, priceOf, purseOf } from './purse'

/** Starter credits fund the console and never the API, which doesn't know what was made there. */
export async function proveWebOnly(report: Report, { wire, accountId }: Newcomer): Promise<void> {
  const keys = `/accounts/${accountId}/keys`
  const form = hiddenIn((await wire.get(keys)).text, 'form')
  const { text } = await wire.post(keys, { form, name: 'Website', expires: 'never', date: '' })
  const api = createApi(/sk_live_\w+/.exec(text)?.[0] ?? '')
  const before = await purseOf(accountId)
  const refused = await Promise.all(Array.from({ length: 5 }, () => api.generate(smallRequest())))
  const codes = refused.map(({ status, body }) => `${status} ${body.error?.code}`)
  report.check(
    'a key is refused where there are starter credits alone',
    codes.every(code => code === '402 insufficient_credits'),
    codes.join(),
  )
  const known = refused.map(({ body }) => body.error?.details?.available_credits)
  report.check(
    'it is told that it has none',
    known.every(credits => credits === 0),
    known.join(),
  )
  const after = await purseOf(accountId)
  report.check('the starter balance has not moved', Bun.deepEquals(before, after), JSON.stringify({ before, after }))

  const price = await priceOf(accountId)
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const { taskId = '', status } = await askForVideo(wire, accountId, prompt)
  report.check('the console makes a video with them', status === 303, String(status))
  await consoleOf(accountId).taskOnce(taskId)
  const left = await purseOf(accountId)
  report.check('at its price', left.starter === before.starter - price && left.paid === 0, JSON.stringify({ before, left, price }))

  const [hidden, unknown, ...lists] = await Promise.all(
    [`/tasks/${taskId}`, `/tasks/vt_${'a'.repeat(26)}`, '/tasks', '/tasks?status=completed', '/usage'].map(path => api.get(path)),
  )
  report.check('the API answers 404 for it', hidden?.status === 404, String(hidden?.status))
  report.check('as for one that never was', hidden?.text === unknown?.text, hidden?.text)
  for (const list of lists) report.check('it lists nothing of it', list.status === 200 && !list.text.includes(taskId), list.text)
  report.check('the console lists it', (await wire.get(`/accounts/${accountId}/tasks`)).text.includes(taskId))
}

import { createKey, openAccount } from '../../support/client/account'
import { type Answer, createApi } from '../../support/client/api'
import { ownWords, smallRequest } from '../../support/client/request'
import { budgetsOf, setBudget } from '../../support/operator/budgets'
import { audit } from '../../support/operator/operator'
import { moveSpend, spentByKey } from '../../support/servers/databases'
import { simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'

const requests = 200

/** Caps by key, in prices: of the fourth key there is none. Odd credits are left over, so that no cap is met exactly. */
const keyCaps = [
  { prices: 7, caps: (price: number) => ({ total: 7 * price + 1 }) },
  { prices: 11, caps: (price: number) => ({ day: 12 * price - 1 }) },
  { prices: 20, caps: (price: number) => ({ month: 20 * price, total: 1_000 * price }) },
  { prices: requests, caps: undefined },
]
const accountPrices = 60

/** Budgets hold to the credit while 200 requests come at once, and again in each new month; computed from the ledger's entries. */
export async function prove(report: Report): Promise<void> {
  const { api, accountId } = await openAccount({ credits: 1_000_000 })
  const words = ownWords()
  await simulator.behave(words, [{ name: 'instant' }])
  const newRequest = () => smallRequest({ prompt: `${words} ${crypto.randomUUID()}` })
  const { credits: price } = JSON.parse((await api.estimate(newRequest())).text) as { credits: number }
  const keys = await Promise.all(keyCaps.map(() => createKey(accountId)))
  for (const [nth, { caps }] of keyCaps.entries()) if (caps) await setBudget(accountId, 'key', keys[nth]?.key_id ?? '', caps(price))
  await setBudget(accountId, 'account', accountId, { month: accountPrices * price + price - 1, time_zone: 'Australia/Lord_Howe' })
  const apis = keys.map(({ api_key }) => createApi(api_key))

  const burst = () => Promise.all(Array.from({ length: requests }, (_, nth) => apis[nth % apis.length]?.generate(newRequest())))
  const first = judgeAnswers(report, price, await burst())
  report.check('as many pass as the account may', first.length === accountPrices, `${first.length} of ${accountPrices}`)
  await checkSpent(report, accountId, { price, keys, accountPrices })

  await Promise.all(first.map(({ body }) => apis[0]?.taskOnce(body.id)))
  await moveSpend(accountId, '2026-01-31')
  const second = judgeAnswers(report, price, await burst())
  report.check('a new month is whole, a total is not', second.length === accountPrices, `${second.length} of ${accountPrices}`)
  const total = (await spentByKey(accountId)).find(({ key }) => key === keys[0]?.key_id)?.credits ?? 0
  report.check('a total is one for both months', total <= 7 * price + 1, `${total} of ${7 * price + 1}`)
  await Promise.all(second.map(({ body }) => apis[0]?.taskOnce(body.id)))
  await proveRefunds(report, accountId, { api: apis[3] ?? api, price })
  report.check('the audit finds nothing', (await audit()).length === 0, JSON.stringify(await audit()))
}

/** Returns those that passed; all others are 402 with fewer credits left than the price. */
function judgeAnswers(report: Report, price: number, answers: (Answer | undefined)[]): Answer[] {
  const passed: Answer[] = []
  for (const answer of answers) {
    if (answer?.status === 202) passed.push(answer)
    else {
      const { code, details } = answer?.body.error ?? {}
      const left = Number(details?.left_credits)
      const holds = answer?.status === 402 && code === 'budget_exceeded' && left < price && left >= 0 && 'resets_at' in (details ?? {})
      report.check('every other one is refused by a budget', holds, answer?.text ?? 'no answer')
    }
  }
  report.figure('budgets.passed', passed.length)
  return passed
}

type Expected = { price: number; keys: { key_id: string }[]; accountPrices: number }

async function checkSpent(report: Report, accountId: string, { price, keys, accountPrices }: Expected): Promise<void> {
  const spent = new Map((await spentByKey(accountId)).map(({ key, credits }) => [key, credits]))
  const sum = [...spent.values()].reduce((all, credits) => all + credits, 0)
  report.check('the account is within its cap', sum === accountPrices * price, `${sum} of ${accountPrices * price}`)
  for (const [nth, { prices }] of keyCaps.entries()) {
    const credits = spent.get(keys[nth]?.key_id ?? '') ?? 0
    report.check('each key is within its cap', credits <= prices * price, `key ${nth}: ${credits} of ${prices * price}`)
  }
  const told = async () => (await budgetsOf(accountId)).data.find(({ budget }) => budget === 'account')?.caps[0]?.spent_credits
  await until('the spend to be told', async () => (await told()) === sum)
}

/** A refund after the month has turned lowers the month of its reservation, and gives the new one no room. */
async function proveRefunds(report: Report, accountId: string, { api, price }: { api: ReturnType<typeof createApi>; price: number }) {
  await moveSpend(accountId, '2026-02-28')
  await setBudget(accountId, 'account', accountId, { month: price })
  const failing = ownWords()
  await simulator.behave(failing, [{ name: 'moderated' }])
  const failed = (await api.generate(smallRequest({ prompt: failing }))).body
  await moveSpend(accountId, '2026-03-31')
  await api.taskOnce(failed.id)
  const words = ownWords()
  await simulator.behave(words, [{ name: 'instant' }])
  const answers = [await api.generate(smallRequest({ prompt: words })), await api.generate(smallRequest({ prompt: words }))]
  const statuses = answers.map(({ status }) => status)
  report.check('a refund of an earlier month gives no room', statuses[0] === 202 && statuses[1] === 402, statuses.join(' '))
}

import type { Answer } from '../../support/client/api'
import { consoleOf } from '../../support/client/console'
import { smallRequest } from '../../support/client/request'
import type { Report } from '../../support/suite/report'
import type { Wire } from '../people/wire'
import { type AskedVideo, askForVideo, ledgerOf, type Owned, videoSeconds } from './purse'

export const consoleAsks = 50
export const apiAsks = 20

type Crowd = {
  pages: AskedVideo[]
  answers: Answer[]
  taskIds: string[]
  limited: AskedVideo[]
  most: number
  samples: number
  least: number
}

/** Fifty forms beside twenty requests of the API at one moment, from one session or several, while the account is looked at all the time. */
export async function askTogether({ accountId, api }: Owned, wires: Wire[], prompt: string): Promise<Crowd> {
  const seen = watch(accountId)
  const asked = await Promise.all([
    Promise.all(Array.from({ length: consoleAsks }, (_, n) => askForVideo(wires[n % wires.length] as Wire, accountId, prompt))),
    Promise.all(Array.from({ length: apiAsks }, () => api.generate(smallRequest({ prompt, duration: videoSeconds })))),
  ]).finally(seen.stop)
  const [pages, answers] = asked
  const ofApi = answers.flatMap(({ status, body }) => (status === 202 ? [body.id] : []))
  const taskIds = [...pages.flatMap(({ taskId }) => taskId ?? []), ...ofApi]
  const limited = pages.filter(({ status, text }) => status === 429 && text.includes('Too many videos were requested within a minute'))
  return { pages, answers, taskIds, limited, ...(await seen.stop()) }
}

/** Each question is asked once the last is answered, so there are as many as there is time for. */
function watch(accountId: string) {
  const seen = { most: 0, samples: 0, least: Number.POSITIVE_INFINITY }
  let going = true
  const looking = look()
  async function look(): Promise<void> {
    while (going) {
      const [ledger, shown] = await Promise.all([ledgerOf(accountId), consoleOf(accountId).account()])
      seen.most = Math.max(seen.most, ledger.unfinished, ledger.open, shown.unfinished)
      seen.least = Math.min(seen.least, ledger.paid, ledger.starter)
      seen.samples += 1
    }
  }
  const stop = async () => {
    going = false
    await looking
    return seen
  }
  return { stop }
}

/** Nobody was left with anything but a video or a refusal that says which, and what to do then. */
export function checkAnswers(report: Report, round: string, { pages, answers }: Crowd): void {
  const odd = pages.filter(page => !isProper(page)).map(({ status, text }) => `${status} ${text.slice(0, 200)}`)
  report.check(`${round}: each refused form has its page`, odd.length === 0, odd.join('\n'))
  const waits = (answer: { headers: Headers }) => /^[1-9]\d*$/.test(answer.headers.get('retry-after') ?? '')
  const refused = answers.filter(({ status }) => status !== 202)
  const wrong = refused.filter(answer => {
    const code = answer.body.error?.code ?? ''
    if (answer.status === 402) return code !== 'insufficient_credits'
    return answer.status !== 429 || !['unfinished_task_limit', 'rate_limited'].includes(code) || !waits(answer)
  })
  report.check(`${round}: each refused request has its code`, wrong.length === 0, wrong.map(({ text }) => text).join('\n'))
}

function isProper({ status, text, headers, form }: AskedVideo): boolean {
  if (status === 303) return true
  if (status === 402) return text.includes('Your balances are too low') && text.includes('Buy credits')
  const seconds = headers.get('retry-after') ?? ''
  if (status !== 429 || !/^[1-9]\d*$/.test(seconds) || !text.includes(`name="form" value="${form}"`)) return false
  const wait = seconds === '1' ? 'Wait a second' : `Wait ${seconds} seconds`
  return text.includes('Too many unfinished tasks on this account') || text.includes(wait)
}

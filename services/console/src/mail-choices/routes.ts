import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { findAccountName } from '../accounts/account-repository'
import { type MemberDeps, memberOf, requireRole } from '../accounts/member-of'
import { readForm } from '../door/read-form'
import type { Reason } from '../errors'
import type { Gateway } from '../gateway/gateway'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import { findChoice, type TaskEnded, taskEndedChoices } from './choice-repository'
import { chooseMails } from './choose-mails'
import { mailChoicePage, stopPage, stoppedPage } from './page'
import { readStopToken, type Stop, stopPath } from './stop-link'
import { stopMails } from './stop-mails'

export type MailChoiceDeps = MemberDeps & { gateway: Gateway; authSecret: string; clientAddress(request: Request): string }

const boundMax = 1_000_000_000

/** /accounts/:id/e-mails: which e-mails a person wants of an account; and the links in these that end them. */
export const mailChoices = (deps: MailChoiceDeps) =>
  new Elysia({ name: 'mail-choices', normalize: false })
    .get(stopPath, async function getStop({ request, set }) {
      const { token, ...stop } = requireStop(deps, request)
      const accountName = await findAccountName(deps.sql, stop)
      return answerPage(set, stopPage({ accountName, kind: stop.kind, token }))
    })
    .post(
      stopPath,
      async function postStop({ request, set }) {
        const stop = requireStop(deps, request)
        await stopMails(deps, { ...stop, address: deps.clientAddress(request) })
        return answerPage(set, stoppedPage(stop))
      },
      { parse: 'none' },
    )
    .use(memberOf(deps))
    .get('/accounts/:id/e-mails', async function getMailChoice({ query, set, ...inside }) {
      const { taskEnded, lowBalanceCredits } = await findChoice(deps.sql, {
        accountId: inside.member.accountId,
        personId: inside.person.id,
      })
      const fields = { taskEnded, bound: lowBalanceCredits === null ? '' : String(lowBalanceCredits) }
      const notice = query.done === 'saved' ? ({ kind: 'done', text: 'Saved.' } as const) : undefined
      return answerPage(set, mailChoicePage({ ...inside, fields, notice }))
    })
    .post(
      '/accounts/:id/e-mails',
      async function postMailChoice({ request, set, ...inside }) {
        const { person, member } = inside
        requireRole(member, 'member')
        const form = await readForm(request)
        const taskEnded = form.get('task_ended')
        if (!isTaskEnded(taskEnded)) throw new Failure<Reason>('invalid_form')
        const bound = member.role === 'owner' ? form.get('low_balance').replaceAll(/[ ,]/g, '') : ''
        const lowBalanceCredits = bound === '' ? null : Number(bound)
        if (!/^\d*$/.test(bound) || lowBalanceCredits === 0 || (lowBalanceCredits ?? 0) > boundMax) {
          const issue = 'Write a whole number of credits from 1 to 1,000,000,000, or nothing.'
          return answerPage(set, mailChoicePage({ ...inside, fields: { taskEnded, bound: form.get('low_balance'), issue } }), 400)
        }
        await chooseMails(deps, { person, accountId: member.accountId, choice: { taskEnded, lowBalanceCredits } })
        return seeOther(set, `${accountPath(member.accountId, 'mails')}?done=saved`)
      },
      { parse: 'none' },
    )

const isTaskEnded = (text: string): text is TaskEnded => taskEndedChoices.includes(text as TaskEnded)

function requireStop({ authSecret }: MailChoiceDeps, request: Request): Stop & { token: string } {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const stop = readStopToken(token, authSecret)
  if (!stop) throw new Failure<Reason>('not_found')
  return { ...stop, token }
}

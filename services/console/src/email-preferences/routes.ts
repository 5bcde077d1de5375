import type { Secrets } from '@filmgate/kit/environment/secrets'
import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { findAccountName } from '../accounts/account-repository'
import { type MemberDeps, requireMember, requireRole } from '../accounts/require-member'
import type { Reason } from '../errors'
import type { Gateway } from '../gateway/gateway'
import { readForm } from '../http/read-form'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import { emailPreferencesPage, unsubscribedPage, unsubscribePage } from './page'
import { findPreferences, type TaskEmailOption, taskEmailOptions } from './preference-repository'
import { savePreferences } from './save-preferences'
import { unsubscribe } from './unsubscribe'
import { readUnsubscribeToken, type Subscription, unsubscribePath } from './unsubscribe-link'

export type EmailPreferencesDeps = MemberDeps & { gateway: Gateway; authSecrets: Secrets; clientAddress(request: Request): string }

const thresholdMax = 1_000_000_000

/** /accounts/:id/e-mails: a person's e-mail preferences, and the unsubscribe links. */
export const emailPreferences = (deps: EmailPreferencesDeps) =>
  new Elysia({ name: 'email-preferences', normalize: false })
    .get(unsubscribePath, async function getUnsubscribe({ request, set }) {
      const { token, ...subscription } = requireSubscription(deps, request)
      const accountName = await findAccountName(deps.sql, subscription)
      return answerPage(set, unsubscribePage({ accountName, kind: subscription.kind, token }))
    })
    .post(
      unsubscribePath,
      async function postUnsubscribe({ request, set }) {
        const subscription = requireSubscription(deps, request)
        await unsubscribe(deps, { ...subscription, address: deps.clientAddress(request) })
        return answerPage(set, unsubscribedPage(subscription))
      },
      { parse: 'none' },
    )
    .use(requireMember(deps))
    .get('/accounts/:id/e-mails', async function getEmailPreferences({ query, set, ...context }) {
      const { taskEnded, lowBalanceCredits, warnings } = await findPreferences(deps.sql, {
        accountId: context.member.accountId,
        personId: context.person.id,
      })
      const fields = { taskEnded, threshold: lowBalanceCredits === null ? '' : String(lowBalanceCredits), warnings }
      const notice = query.done === 'saved' ? ({ kind: 'done', text: 'Saved.' } as const) : undefined
      return answerPage(set, emailPreferencesPage({ ...context, fields, notice }))
    })
    .post(
      '/accounts/:id/e-mails',
      async function postEmailPreferences({ request, set, ...context }) {
        const { person, member } = context
        requireRole(member, 'member')
        const form = await readForm(request)
        const taskEnded = form.get('task_ended')
        if (!isTaskEmailOption(taskEnded)) throw new Failure<Reason>('invalid_form')
        const warnings = form.get('warnings') === 'yes'
        const threshold = member.role === 'owner' ? form.get('low_balance').replaceAll(/[ ,]/g, '') : ''
        const lowBalanceCredits = threshold === '' ? null : Number(threshold)
        if (!/^\d*$/.test(threshold) || lowBalanceCredits === 0 || (lowBalanceCredits ?? 0) > thresholdMax) {
          const issue = 'Enter a whole number of credits from 1 to 1,000,000,000, or leave the field empty.'
          return answerPage(
            set,
            emailPreferencesPage({ ...context, fields: { taskEnded, threshold: form.get('low_balance'), warnings, issue } }),
            400,
          )
        }
        await savePreferences(deps, { person, accountId: member.accountId, preferences: { taskEnded, lowBalanceCredits, warnings } })
        return seeOther(set, `${accountPath(member.accountId, 'mails')}?done=saved`)
      },
      { parse: 'none' },
    )

const isTaskEmailOption = (text: string): text is TaskEmailOption => taskEmailOptions.includes(text as TaskEmailOption)

function requireSubscription({ authSecrets }: EmailPreferencesDeps, request: Request): Subscription & { token: string } {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const subscription = readUnsubscribeToken(token, authSecrets)
  if (!subscription) throw new Failure<Reason>('not_found')
  return { ...subscription, token }
}

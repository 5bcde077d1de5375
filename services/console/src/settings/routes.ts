import { Elysia } from 'elysia'
import { type MemberDeps, requireMember, requireRole } from '../accounts/require-member'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import { requireRecentSignIn } from '../auth/require-recent-sign-in'
import type { AccountView, Actor, Gateway } from '../gateway/gateway'
import { readForm } from '../http/read-form'
import { newFormId, submitOnce } from '../http/submit-once'
import { answerDownload } from '../layout/answer-download'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import type { Notice } from '../layout/page'
import { enforceLimit } from '../limits/enforce-limit'
import { exportLimits } from '../limits/limits'
import { invalidNameMessage, isValidName } from '../people/name'
import { closeAccount } from './close-account'
import { exportAccount } from './export-account'
import { jsonLines, jsonLinesType } from './json-lines'
import { closePage, settingsPage } from './page'
import { renameAccount } from './rename-account'

export type SettingsDeps = MemberDeps & { gateway: Gateway; now(): Date }

/** An account's name, export and deletion, for owners. */
export const settings = (deps: SettingsDeps) =>
  new Elysia({ name: 'settings', normalize: false })
    .use(requireMember(deps))
    .get('/accounts/:id/settings', function getSettings({ query, set, person, member, memberships }) {
      const notice: Notice | undefined = query.done === 'renamed' ? { kind: 'done', text: 'The name is saved.' } : undefined
      return answerPage(set, settingsPage({ person, member, memberships, notice }))
    })
    .post('/accounts/:id/settings/name', async function postName({ request, set, person, member, memberships }) {
      requireRole(member, 'owner')
      const name = (await readForm(request)).get('name')
      if (!isValidName(name)) return answerPage(set, settingsPage({ person, member, memberships, name, issue: invalidNameMessage }), 400)
      await renameAccount(deps, { actor: person, accountId: member.accountId, from: member.accountName, to: name })
      return seeOther(set, `${accountPath(member.accountId, 'settings')}?done=renamed`)
    })
    .get('/accounts/:id/settings/export', async function getExport({ request, set, person, member }) {
      requireRole(member, 'owner')
      const { accountId } = member
      await enforceLimit(deps.sql, exportLimits.account, accountId)
      const fileName = `filmgate-${accountId}-${deps.now().toISOString().slice(0, 10)}.jsonl`
      const parts = jsonLines(exportAccount(deps, { actor: person, accountId, signal: request.signal }))
      await insertAuditEntry(deps.sql, person, { accountId, action: 'account.exported', subject: accountId })
      return answerDownload(set, { parts, type: jsonLinesType, fileName })
    })
    .get('/accounts/:id/settings/delete', async function getDeletion({ set, person, member, memberships }) {
      requireRole(member, 'owner')
      await requireRecentSignIn(deps, person)
      const account = await findAccount(deps, person, member.accountId)
      return answerPage(set, closePage({ person, member, memberships, account, formId: newFormId() }))
    })
    .post('/accounts/:id/settings/delete', async function postDeletion({ request, set, person, member, memberships }) {
      requireRole(member, 'owner')
      await requireRecentSignIn(deps, person)
      const form = await readForm(request)
      const { accountId, accountName: name } = member
      if (form.get('name') !== name.trim()) {
        const issue = 'The name does not match.'
        const account = await findAccount(deps, person, accountId)
        return answerPage(set, closePage({ person, member, memberships, account, formId: newFormId(), issue }), 400)
      }
      await submitOnce(deps.sql, form.get('form'))
      await closeAccount(deps, { actor: person, accountId, name })
      return seeOther(set, '/accounts?done=closed')
    })

/** Undefined if the gateway doesn't know it yet. */
async function findAccount({ gateway }: SettingsDeps, actor: Actor, accountId: string): Promise<AccountView | undefined> {
  const answer = await gateway.request<AccountView>(actor, { path: `/accounts/${accountId}` })
  return answer.ok ? answer.value : undefined
}

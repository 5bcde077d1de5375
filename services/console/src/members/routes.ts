import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { listMembers, type MemberRow } from '../accounts/member-repository'
import { type MemberContext, type MemberDeps, requireMember, requireRole } from '../accounts/require-member'
import { isRole } from '../accounts/roles'
import { requireRecentSignIn } from '../auth/require-recent-sign-in'
import type { Reason } from '../errors'
import { readForm } from '../http/read-form'
import { listInvitations } from '../invitations/invitation-repository'
import { type InviteDeps, invite, resendInvitation, revokeInvitation } from '../invitations/invite'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import type { Notice } from '../layout/page'
import { parseEmailAddress } from '../people/email-address'
import type { TemporaryKeyDeps } from '../try-it/revoke-temporary-keys'
import { auditLog } from './audit-log/routes'
import { changeRole, removeMember } from './change-role'
import { type InviteFields, membersPage, removePage } from './page'

export type MembersDeps = MemberDeps & InviteDeps & TemporaryKeyDeps

const done: Record<string, string> = {
  role: 'The role is changed.',
  removed: 'The member is removed.',
  invited: 'The invitation is being sent.',
  sent: 'A new invitation is being sent. The previous link no longer works.',
  revoked: 'The invitation is revoked.',
}

/** The members of an account with their roles, its invitations, and its audit log. */
export const members = (deps: MembersDeps) =>
  new Elysia({ name: 'members', normalize: false })
    .use(auditLog(deps))
    .use(requireMember(deps))
    .get('/accounts/:id/members', async function getMembers({ query, set, person, member, memberships }) {
      const message = done[query.done ?? '']
      const notice: Notice | undefined = message === undefined ? undefined : { kind: 'done', text: message }
      return answerPage(set, membersPage({ ...(await pageInput(deps, { person, member, memberships })), notice }))
    })
    .post('/accounts/:id/members/invitations', async function postInvitation({ request, set, person, member, memberships }) {
      requireRole(member, 'owner')
      await requireRecentSignIn(deps, person)
      const form = await readForm(request)
      const email = parseEmailAddress(form.get('email'))
      const role = form.get('role')
      const refuse = async (issue: string) => {
        const fields: InviteFields = { email: form.get('email'), role, issue }
        return answerPage(set, membersPage({ ...(await pageInput(deps, { person, member, memberships })), fields }), 400)
      }
      if (email === undefined) return refuse('This is not a valid e-mail address.')
      if (!isRole(role)) return refuse('Choose a role.')
      const { accountId } = member
      const { issue } = await invite(deps, { actor: person, accountId, email, role })
      return issue === undefined ? redirectToMembers(set, accountId, 'invited') : refuse(issue)
    })
    .post('/accounts/:id/members/invitations/:invitation/send-again', async function postAgain({ params, set, person, member }) {
      requireRole(member, 'owner')
      await requireRecentSignIn(deps, person)
      await resendInvitation(deps, { id: params.invitation, actor: person, accountId: member.accountId })
      return redirectToMembers(set, member.accountId, 'sent')
    })
    .post('/accounts/:id/members/invitations/:invitation/revoke', async function postRevocation({ params, set, person, member }) {
      requireRole(member, 'owner')
      await revokeInvitation(deps, { id: params.invitation, actor: person, accountId: member.accountId })
      return redirectToMembers(set, member.accountId, 'revoked')
    })
    .get('/accounts/:id/members/leave', function getLeave({ set, person, member, memberships }) {
      return answerPage(set, removePage({ person, member, memberships, leaver: { name: person.name, personId: person.id } }))
    })
    .post('/accounts/:id/members/leave', async function postLeave({ set, person, member: { accountId } }) {
      await removeMember(deps, { actor: person, accountId, personId: person.id })
      return seeOther(set, '/accounts')
    })
    .post('/accounts/:id/members/:person/role', async function postRole({ request, params, set, person, member }) {
      requireRole(member, 'owner')
      const role = (await readForm(request)).get('role')
      if (!isRole(role)) throw new Failure<Reason>('invalid_form')
      await changeRole(deps, { actor: person, accountId: member.accountId, personId: params.person, role })
      return redirectToMembers(set, member.accountId, 'role')
    })
    .get('/accounts/:id/members/:person/remove', async function getRemoval({ params, set, person, member, memberships }) {
      requireRole(member, 'owner')
      const leaver = (await listMembers(deps.sql, member.accountId)).find(({ personId }) => personId === params.person)
      if (!leaver) throw new Failure<Reason>('not_found')
      if (leaver.role === 'owner') await requireRecentSignIn(deps, person)
      return answerPage(set, removePage({ person, member, memberships, leaver }))
    })
    .post('/accounts/:id/members/:person/remove', async function postRemoval({ params, set, person, member }) {
      requireRole(member, 'owner')
      await removeMember(deps, { actor: person, accountId: member.accountId, personId: params.person })
      return params.person === person.id ? seeOther(set, '/accounts') : redirectToMembers(set, member.accountId, 'removed')
    })

const redirectToMembers = (set: Parameters<typeof seeOther>[0], accountId: string, what: string) =>
  seeOther(set, `${accountPath(accountId, 'members')}?done=${what}`)

async function pageInput({ sql, now }: MembersDeps, context: MemberContext) {
  const { accountId, role } = context.member
  const rows: MemberRow[] = await listMembers(sql, accountId)
  return { ...context, members: rows, invitations: role === 'owner' ? await listInvitations(sql, accountId) : [], now: now() }
}

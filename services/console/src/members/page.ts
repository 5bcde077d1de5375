import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberRow } from '../accounts/member-repository'
import type { MemberContext } from '../accounts/require-member'
import { type Role, roles } from '../accounts/roles'
import { budgetsPath } from '../budgets/paths'
import type { OpenInvitation } from '../invitations/invitation-repository'
import { field } from '../layout/field'
import { accountPath } from '../layout/menu'
import { date } from '../layout/numbers'
import { type Notice, page } from '../layout/page'
import { table } from '../layout/table'

export type InviteFields = { email: string; role: string; issue?: string }
type View = MemberContext & {
  members: MemberRow[]
  invitations: OpenInvitation[]
  now: Date
  fields?: InviteFields
  notice?: Notice | undefined
}

const roleLabels: Record<Role, string> = {
  viewer: 'Viewer: sees videos and usage',
  member: 'Member: also makes videos',
  owner: 'Owner: also keys, members, payments',
}

export function membersPage({ person, member, memberships, members, invitations, now, fields, notice }: View): string {
  const isOwner = member.role === 'owner'
  const path = accountPath(member.accountId, 'members')
  return page({
    title: 'Members',
    person,
    account: { member, memberships, section: 'members' },
    ...(notice && { notice }),
    content: html`${memberTable(path, { person, members, isOwner })}
<p class="row"><a class="button second" href="${path}/leave">Leave the account</a>${isOwner && html` <a class="button second" href="${path}/log">Audit log</a> <a class="button second" href="${budgetsPath(member.accountId)}">Budgets</a>`}</p>
${isOwner ? inviteForm(path, fields) : html`<p class="soft">Only owners can invite people and change roles.</p>`}
${invitations.length > 0 && invitationTable(path, invitations, now)}`,
  })
}

function memberTable(path: string, { person, members, isOwner }: { person: { id: string }; members: MemberRow[]; isOwner: boolean }): Html {
  return table(
    'Members of this account',
    [{ title: 'Name' }, { title: 'Role' }, { title: 'Since' }, ...(isOwner ? [{ title: '' }] : [])],
    members.map(row => [
      html`${row.name}${row.personId === person.id && ' (you)'}<span class="sub">${row.email}</span>`,
      isOwner ? roleForm(path, row) : row.role,
      date(row.since),
      ...(isOwner ? [row.personId === person.id ? '' : removeLink(path, row)] : []),
    ]),
  )
}

const roleForm = (
  path: string,
  { personId, name, role }: MemberRow,
): Html => html`<form class="row" method="post" action="${path}/${personId}/role">
<select name="role" aria-label="Role of ${name}">${roles.map(each => html`<option value="${each}"${each === role && html` selected`}>${each}</option>`)}</select>
<button class="second">Change<span class="hidden"> the role of ${name}</span></button></form>`

const removeLink = (path: string, { personId, name }: MemberRow): Html =>
  html`<a class="button second" href="${path}/${personId}/remove">Remove<span class="hidden"> ${name}</span></a>`

const inviteForm = (
  path: string,
  fields: InviteFields = { email: '', role: 'member' },
): Html => html`<form class="panel" method="post" action="${path}/invitations">
<h2>Invite a person</h2>
<div class="fields">
<div>${field({ name: 'email', label: 'E-mail address', type: 'email', value: fields.email, issue: fields.issue, required: true, maxLength: 254 })}</div>
<div><label for="role">Role</label>
<select id="role" name="role">${roles.map(role => html`<option value="${role}"${role === fields.role && html` selected`}>${roleLabels[role]}</option>`)}</select></div>
</div>
<p class="row"><button>Send the invitation</button></p>
</form>`

const invitationTable = (path: string, invitations: OpenInvitation[], now: Date): Html => html`<h2>Open invitations</h2>
${table(
  'Open invitations',
  [{ title: 'E-mail address' }, { title: 'Role' }, { title: 'Invited by' }, { title: 'Link valid until' }, { title: '' }],
  invitations.map(({ id, email, role, invitedBy, expiresAt }) => [
    email,
    role,
    html`<span class="by">${invitedBy}</span>`,
    html`${date(expiresAt)}${expiresAt <= now && html` <span class="tag">expired</span>`}`,
    html`<div class="row">
<form method="post" action="${path}/invitations/${id}/send-again"><button class="second">Resend<span class="hidden"> to ${email}</span></button></form>
<form method="post" action="${path}/invitations/${id}/revoke"><button class="second">Revoke<span class="hidden"> the invitation of ${email}</span></button></form></div>`,
  ]),
)}`

type RemoveView = MemberContext & { leaver: Pick<MemberRow, 'name' | 'personId'> }

/** Asks for confirmation before a member is removed, or leaves. */
export function removePage({ person, member, memberships, leaver }: RemoveView): string {
  const isSelf = leaver.personId === person.id
  return page({
    title: isSelf ? `Leave ${member.accountName}` : `Remove ${leaver.name}`,
    person,
    account: { member, memberships, section: 'members' },
    content: html`<p>${isSelf ? 'You lose' : `${leaver.name} loses`} access to this account at once. The account’s keys keep working: revoke those that ${isSelf ? 'you' : leaver.name} may know.</p>
<form method="post" class="row"><button class="danger">${isSelf ? 'Leave' : 'Remove'}</button> <a class="button second" href="${accountPath(member.accountId, 'members')}">Cancel</a></form>`,
  })
}

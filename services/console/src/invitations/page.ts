import { type Html, html } from '@filmgate/kit/http/html'
import type { Role } from '../accounts/roles'
import type { Person } from '../http/person'
import { page } from '../layout/page'
import type { ValidInvitation } from './invitation-repository'

const roleText: Record<Role, string> = {
  owner: 'An owner makes videos and manages keys, members and payments.',
  member: 'A member makes videos with the account’s credits.',
  viewer: 'A viewer sees videos and usage.',
}

const invitationText = ({ accountName, invitedBy, role }: ValidInvitation): Html =>
  html`<p>${invitedBy} invites you to the account <strong>${accountName}</strong> as ${role === 'owner' ? 'an owner' : `a ${role}`}. ${roleText[role]}</p>`

export const acceptPage = (person: Person, invited: ValidInvitation): string =>
  page({
    title: 'Invitation',
    person,
    content: html`${invitationText(invited)}
<form method="post" class="row"><button>Join ${invited.accountName}</button> <a class="button second" href="/">Not now</a></form>`,
  })

/** Shows neither the account nor the inviter: anyone may have the link. */
export const signedOutPage = (path: string): string =>
  page({
    title: 'Invitation',
    content: html`<p>You are invited to an account. Sign in or sign up with the address that received it.</p>
<p class="soft">If you are not returned to this page, open the invitation’s link again.</p>
<p class="row"><a class="button" href="/sign-in?next=${encodeURIComponent(path)}">Sign in</a> <a class="button second" href="/sign-up?next=${encodeURIComponent(path)}">Sign up</a></p>`,
  })

/** Shows neither the account nor the inviter: the mail may have been forwarded. */
export const otherAddressPage = (person: Person): string =>
  page({
    title: 'Invitation',
    person,
    content: html`<p>This invitation is for another e-mail address. You are signed in as ${person.email}. Sign out, sign in with the invited address, and open the link again.</p>
<form method="post" action="/sign-out" class="row"><button>Sign out</button></form>`,
  })

export const endedPage = (person: Person | undefined): string =>
  page({
    title: 'Invitation',
    ...(person && { person }),
    content: html`<p>This invitation was used or revoked, or has expired. Ask its sender for a new one.</p>
<p class="row"><a class="button" href="/">Go to the console</a></p>`,
  })

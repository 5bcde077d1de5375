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

/** Whoever has the link reads who invites whom into what: without that nobody knows with which address to sign in. */
export const signedOutPage = (invited: ValidInvitation, path: string): string => {
  const next = encodeURIComponent(path)
  return page({
    title: 'Invitation',
    content: html`${invitationText(invited)}
<p>Sign in or sign up with <strong>${invited.email}</strong>, the address that the invitation is for.</p>
<p class="row"><a class="button" href="/sign-up?next=${next}">Sign up</a> <a class="button second" href="/sign-in?next=${next}">Sign in</a></p>
<p class="soft">If you are not returned to this page, open the invitation’s link again.</p>`,
  })
}

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

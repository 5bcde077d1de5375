import { type Html, html } from '@filmgate/kit/http/html'
import type { Role } from '../accounts/roles'
import type { Person } from '../door/person'
import { page } from '../layout/page'
import type { Invited } from './invitation-repository'

const may: Record<Role, string> = {
  owner: 'An owner makes videos and manages keys, members and payments.',
  member: 'A member makes videos with the account’s credits.',
  viewer: 'A viewer sees videos and usage.',
}

const words = ({ accountName, invitedBy, role }: Invited): Html =>
  html`<p>${invitedBy} invites you to the account <strong>${accountName}</strong> as ${role === 'owner' ? 'an owner' : `a ${role}`}. ${may[role]}</p>`

export const acceptPage = (person: Person, invited: Invited): string =>
  page({
    title: 'Invitation',
    person,
    content: html`${words(invited)}
<form method="post" class="row"><button>Join ${invited.accountName}</button> <a class="button second" href="/">Not now</a></form>`,
  })

/** Says neither the account nor who is invited by whom: whoever holds the link may be anybody. */
export const signedOutPage = (path: string): string =>
  page({
    title: 'Invitation',
    content: html`<p>You are invited to an account. Sign in or sign up with the address that this was sent to.</p>
<p class="soft">Open the invitation’s link again if you aren’t led back here.</p>
<p class="row"><a class="button" href="/sign-in?next=${encodeURIComponent(path)}">Sign in</a> <a class="button second" href="/sign-up?next=${encodeURIComponent(path)}">Sign up</a></p>`,
  })

/** Nor does this: a mail may have been passed on to anybody. */
export const otherAddressPage = (person: Person): string =>
  page({
    title: 'Invitation',
    person,
    content: html`<p>This invitation is for another e-mail address than yours, ${person.email}. Sign out, sign in with the address it was sent to, and open its link again.</p>
<form method="post" action="/sign-out" class="row"><button>Sign out</button></form>`,
  })

export const endedPage = (person: Person | undefined): string =>
  page({
    title: 'Invitation',
    ...(person && { person }),
    content: html`<p>This invitation was used or revoked, or its time has passed. Ask whoever sent it for another.</p>
<p class="row"><a class="button" href="/">To the console</a></p>`,
  })

import { type Html, html } from '@filmgate/kit/http/html'
import { passwordLengthMax, passwordLengthMin } from '../auth/create-auth'
import type { SessionRow } from '../auth/session-repository'
import type { Person } from '../http/person'
import { field, usernameOf } from '../layout/field'
import { time } from '../layout/numbers'
import { type Notice, page } from '../layout/page'
import { deviceName } from './device-name'
import type { PasskeyRow } from './security-repository'

export type SecurityView = {
  person: Person
  signInMethods: { password: boolean; oidc: boolean; secondFactor: boolean }
  passkeys: PasskeyRow[]
  sessions: SessionRow[]
  oidcName?: string
  notice?: Notice
}

export const securityPage = (shown: SecurityView): string =>
  page({
    title: 'Sign-in and security',
    person: shown.person,
    notice: shown.notice,
    scripts: ['passkey.browser.js'],
    content: html`${profileSection(shown)}
${passwordSection(shown)}
${passkeySection(shown)}
${codeSection(shown)}
${oidcSection(shown)}
${sessionSection(shown)}
<h2>Your data</h2>
<p><a href="/security/export" download>Download your data</a>, or <a href="/security/delete">delete your profile</a>.</p>`,
  })

const profileSection = ({ person }: SecurityView): Html => html`<h2>Profile</h2>
<form method="post" action="/security/name">
${field({ name: 'name', label: 'Name', value: person.name, autocomplete: 'name', maxLength: 100, required: true })}
<p class="row"><button class="second">Save the name</button></p>
</form>
<form method="post" action="/security/email">
${field({ name: 'email', label: 'E-mail address', type: 'email', value: person.email, autocomplete: 'email', maxLength: 254, required: true, hint: 'A new address takes effect after you open the link that we mail to it.' })}
<p class="row"><button class="second">Change the address</button></p>
</form>`

const passwordSection = ({ signInMethods, person }: SecurityView): Html => html`<h2>Password</h2>
<form method="post" action="/security/password">
${usernameOf(person.email)}
${signInMethods.password && field({ name: 'current_password', label: 'Current password', type: 'password', autocomplete: 'current-password', maxLength: passwordLengthMax, required: true })}
${field({
  name: 'new_password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  required: true,
  hint: `At least ${passwordLengthMin} characters. Other browsers are signed out.`,
})}
<p class="row"><button class="second">${signInMethods.password ? 'Change' : 'Set'} the password</button></p>
</form>`

const passkeySection = ({ passkeys }: SecurityView): Html => html`<h2 id="passkeys">Passkeys</h2>
<p>A passkey signs you in with your device’s lock, without a password or a code.</p>
${passkeys.map(
  ({ id, name, createdAt }) => html`<section class="card" data-passkey-id="${id}">
<p>Added ${time(createdAt)}</p>
<form method="post" action="/security/passkeys/${id}/name">
<label for="name-${id}">Name of the passkey</label>
<input id="name-${id}" name="name" value="${name ?? 'Passkey'}" maxlength="60" required>
<p class="row"><button class="second">Rename</button></p>
</form>
<form method="post" action="/security/passkeys/${id}/remove"><button class="danger">Remove ${name ?? 'Passkey'}</button></form>
</section>`,
)}
<p class="issue" id="passkey-issue" role="alert" hidden></p>
${field({ name: 'passkey-name', label: 'Name for a new passkey', maxLength: 60, hint: 'Such as “Laptop”.' })}
<p class="row"><button class="second" type="button" id="passkey-add" data-passkey="add" hidden>Add a passkey</button></p>`

const ownPassword = (id: string, email: string): Html => html`${usernameOf(email)}<label for="${id}">Your password</label>
<input id="${id}" name="password" type="password" autocomplete="current-password" maxlength="${passwordLengthMax}" required>`

const codeSection = ({ signInMethods, person }: SecurityView): Html =>
  signInMethods.secondFactor
    ? html`<h2 id="codes">Authenticator codes</h2>
<p class="good">On: sign-in asks for a code after the password.</p>
<form method="post" action="/security/codes/backup">${signInMethods.password && ownPassword('backup-password', person.email)}<p class="row"><button class="second">Create new backup codes</button></p></form>
<form method="post" action="/security/codes/off">${signInMethods.password && ownPassword('off-password', person.email)}<p class="row"><button class="danger">Turn codes off</button></p></form>`
    : html`<h2 id="codes">Authenticator codes</h2>
<p>Off. If you turn codes on, sign-in asks for a code of an app on your phone.</p>
<form method="post" action="/security/codes/start">${signInMethods.password && ownPassword('start-password', person.email)}<p class="row"><button class="second">Turn codes on</button></p></form>`

const oidcSection = ({ oidcName, signInMethods }: SecurityView): Html | false =>
  oidcName !== undefined &&
  html`<h2 id="oidc">${oidcName}</h2>
<p>${signInMethods.oidc ? `You can sign in with ${oidcName}.` : `Connect ${oidcName} to sign in with it.`}</p>
<form method="post" action="/security/oidc/${signInMethods.oidc ? 'disconnect' : 'connect'}"><button class="${signInMethods.oidc ? 'danger' : 'second'}">${
    signInMethods.oidc ? 'Disconnect' : 'Connect'
  } ${oidcName}</button></form>`

const sessionSection = ({ sessions, person }: SecurityView): Html => html`<h2 id="sessions">Where you are signed in</h2>
${sessions.map(
  ({ id, userAgent, ipAddress, updatedAt }) => html`<div class="row ends">
<span>${deviceName(userAgent)}${id === person.sessionId && html` <strong>(this one)</strong>`}<br><span class="soft">${ipAddress ?? 'unknown address'}, used ${time(updatedAt)}</span></span>
${id !== person.sessionId && html`<form method="post" action="/security/sessions/${id}/end"><button class="second">End session</button></form>`}
</div>`,
)}
${sessions.length > 1 && html`<form method="post" action="/security/sessions/end-others"><button class="danger">Sign out everywhere else</button></form>`}`

import { Failure } from '@filmgate/kit/failure'
import { type Html, html } from '@filmgate/kit/http/html'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { Elysia } from 'elysia'
import { authErrorCode, authHeaders, forwardCookies } from '../auth/auth-request'
import { verifyPassword } from '../auth/password-hash'
import { confirmSession, deleteSession, findSessionProof } from '../auth/session-repository'
import type { Reason } from '../errors'
import { type Person, requireSignIn } from '../http/person'
import { readForm } from '../http/read-form'
import { safePath } from '../http/safe-path'
import { answerPage, seeOther } from '../layout/answer-page'
import { field, hidden, usernameOf } from '../layout/field'
import { page } from '../layout/page'
import { enforceLimit } from '../limits/enforce-limit'
import { findPasswordHash } from '../people/person-repository'
import type { SignInDeps } from '../sign-in/deps'
import { type Ceremony, ceremony } from '../sign-in/passkey-routes'
import { recordSignIn } from '../sign-in/record-security-change'
import { confirmCode } from './confirm-code'
import { findSignInMethods, listPasskeys } from './security-repository'

/** /security/confirm: asks for the password, a code or a passkey again, before sensitive actions. */
export const confirmRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'confirm', normalize: false })
    .use(requireSignIn(deps))
    .get('/security/confirm', async function getConfirm({ person, request, set }) {
      return answerPage(set, await confirmPage(deps, person, safePath(new URL(request.url).searchParams.get('next'), '/security')))
    })
    .post('/security/confirm', async function postConfirm({ person, request, set }) {
      const form = await readForm(request)
      const next = safePath(form.get('next'), '/security')
      const [password = ''] = form.all('password')
      await enforceLimit(deps.sql, deps.limits.confirmAccount, person.id)
      const hash = await findPasswordHash(deps.sql, person.id)
      if (hash === undefined || password === '' || !(await verifyPassword({ password, hash })))
        return answerPage(set, await confirmPage(deps, person, next, 'The password is wrong.'), 400)
      await confirmSession(deps.sql, person.sessionId)
      await recordSignIn(deps.sql, person, 'person.confirmed', 'password')
      return seeOther(set, next)
    })
    .post('/security/confirm/code', async function postConfirmCode({ person, request, set }) {
      const form = await readForm(request)
      const next = safePath(form.get('next'), '/security')
      if (await confirmCode(deps, { person, request, code: form.get('code') })) return seeOther(set, next)
      return answerPage(set, await confirmPage(deps, person, next, 'The code is wrong or was already used.'), 400)
    })
    .post(
      '/security/confirm/passkey',
      async function postConfirmPasskey({ person, request, set }) {
        const { response } = await readJsonAs(ceremony, request)
        await enforceLimit(deps.sql, deps.limits.confirmAccount, person.id)
        const headers = authHeaders(request, deps.clientAddress(request))
        const body = { response: response as unknown as Ceremony }
        const answer = await deps.auth.api.verifyPasskeyAuthentication({ headers, body, returnHeaders: true }).catch(authErrorCode)
        const by =
          typeof answer === 'string' ? undefined : (answer.response as unknown as { session: { id: string; userId: string } }).session
        if (typeof answer === 'string' || by?.userId !== person.id) {
          if (by) await deleteSession(deps.sql, by.id)
          throw new Failure<Reason>('invalid_request', { message: 'This passkey belongs to another person.' })
        }
        forwardCookies(set, answer.headers)
        await deleteSession(deps.sql, person.sessionId)
        await recordSignIn(deps.sql, person, 'person.confirmed', 'passkey')
        return { confirmed: true }
      },
      { parse: 'none' },
    )

async function confirmPage({ sql }: SignInDeps, person: Person, next: string, issue?: string): Promise<string> {
  const [signInMethods, passkeys, proof] = await Promise.all([
    findSignInMethods(sql, person.id),
    listPasskeys(sql, person.id),
    findSessionProof(sql, person.sessionId),
  ])
  const asksCode = signInMethods.secondFactor && (proof?.codeRequired === true || !signInMethods.password)
  const asksPassword = signInMethods.password && !asksCode
  return page({
    title: 'Confirm it’s you',
    person,
    scripts: ['passkey.browser.js'],
    content: html`<p>This needs a confirmation, because ${asksCode ? 'you signed in without a code' : 'your sign-in is not recent'}.</p>
${asksCode && codeForm(next, issue)}
${asksPassword && passwordForm(person, next, issue)}
<p class="issue" id="passkey-issue" role="alert" hidden></p>
${passkeys.length > 0 && html`<p class="row"><button class="second" type="button" id="passkey-confirm" data-passkey="confirm" data-next="${next}" hidden>Continue with a passkey</button></p>`}
${
  !asksCode &&
  !asksPassword &&
  passkeys.length === 0 &&
  html`<form method="post" action="/sign-out"><p>Sign out, then sign in again.</p><p class="row"><button>Sign out</button></p></form>`
}`,
  })
}

const passwordForm = ({ email }: Person, next: string, issue?: string): Html => html`<form method="post" action="/security/confirm">
${hidden('next', next)}
${usernameOf(email)}
${field({ name: 'password', label: 'Your password', type: 'password', autocomplete: 'current-password', maxLength: 128, required: true, issue })}
<p class="row"><button>Continue</button></p>
</form>`

const codeForm = (next: string, issue?: string): Html => html`<p>Enter a code of your authenticator or a backup code.</p>
<form method="post" action="/security/confirm/code">
${hidden('next', next)}
${field({ name: 'code', label: 'Code', autocomplete: 'one-time-code', maxLength: 20, required: true, issue })}
<p class="row"><button>Continue</button></p>
</form>`

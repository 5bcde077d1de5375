import { Failure } from '@filmgate/kit/failure'
import { html } from '@filmgate/kit/http/html'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { Elysia } from 'elysia'
import { authHeaders, keepCookies, refusalOf } from '../auth/ask-auth'
import { verifyPassword } from '../auth/password-hash'
import { confirmSession, deleteSession } from '../auth/session-repository'
import { type Person, signedIn } from '../door/person'
import { readForm } from '../door/read-form'
import { safePath } from '../door/safe-path'
import type { Reason } from '../errors'
import { answerPage, seeOther } from '../layout/answer-page'
import { field, hidden, usernameOf } from '../layout/field'
import { page } from '../layout/page'
import { takeTry } from '../limits/take-try'
import { findPasswordHash } from '../people/person-repository'
import type { SignInDeps } from '../sign-in/deps'
import { type Ceremony, ceremony } from '../sign-in/passkey-routes'
import { findWaysIn, listPasskeys } from './security-repository'

/** /security/confirm: the password or a passkey once more, before what only the person themselves may do. */
export const confirmRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'confirm', normalize: false })
    .use(signedIn(deps))
    .get('/security/confirm', async function getConfirm({ person, request, set }) {
      return answerPage(set, await shown(deps, person, safePath(new URL(request.url).searchParams.get('next'), '/security')))
    })
    .post('/security/confirm', async function postConfirm({ person, request, set }) {
      const form = await readForm(request)
      const next = safePath(form.get('next'), '/security')
      const [password = ''] = form.all('password')
      await takeTry(deps.sql, deps.limits.confirmAccount, person.id)
      const hash = await findPasswordHash(deps.sql, person.id)
      if (hash === undefined || password === '' || !(await verifyPassword({ password, hash })))
        return answerPage(set, await shown(deps, person, next, 'That is not your password.'), 400)
      await confirmSession(deps.sql, person.sessionId)
      return seeOther(set, next)
    })
    .post(
      '/security/confirm/passkey',
      async function postConfirmPasskey({ person, request, set }) {
        const { response } = await readJsonAs(ceremony, request)
        await takeTry(deps.sql, deps.limits.confirmAccount, person.id)
        const headers = authHeaders(request, deps.clientAddress(request))
        const body = { response: response as unknown as Ceremony }
        const answer = await deps.auth.api.verifyPasskeyAuthentication({ headers, body, returnHeaders: true }).catch(refusalOf)
        const by =
          typeof answer === 'string' ? undefined : (answer.response as unknown as { session: { id: string; userId: string } }).session
        if (typeof answer === 'string' || by?.userId !== person.id) {
          if (by) await deleteSession(deps.sql, by.id)
          throw new Failure<Reason>('invalid_request', { message: 'This passkey is not yours here.' })
        }
        keepCookies(set, answer.headers)
        await deleteSession(deps.sql, person.sessionId)
        return { confirmed: true }
      },
      { parse: 'none' },
    )

async function shown({ sql }: SignInDeps, person: Person, next: string, issue?: string): Promise<string> {
  const [ways, passkeys] = await Promise.all([findWaysIn(sql, person.id), listPasskeys(sql, person.id)])
  return page({
    title: 'Is it you?',
    person,
    scripts: ['passkey.browser.js'],
    content: html`<p>What follows is yours alone, and you signed in a while ago.</p>
${
  ways.password &&
  html`<form method="post" action="/security/confirm">
${hidden('next', next)}
${usernameOf(person.email)}
${field({ name: 'password', label: 'Your password', type: 'password', autocomplete: 'current-password', maxLength: 128, required: true, issue })}
<p class="row"><button>Go on</button></p>
</form>`
}
<p class="issue" id="passkey-issue" role="alert" hidden></p>
${passkeys.length > 0 && html`<p class="row"><button class="second" type="button" id="passkey-confirm" data-passkey="confirm" data-next="${next}" hidden>Go on with a passkey</button></p>`}
${
  !ways.password &&
  passkeys.length === 0 &&
  html`<form method="post" action="/sign-out"><p>Sign out and in again.</p><p class="row"><button>Sign out</button></p></form>`
}`,
  })
}

import { Elysia } from 'elysia'
import { authHeaders, forwardCookies } from '../auth/auth-request'
import { deleteSession } from '../auth/session-repository'
import { readForm } from '../http/read-form'
import { safePath } from '../http/safe-path'
import { invitedEmail } from '../invitations/invited-email'
import { answerPage, seeOther } from '../layout/answer-page'
import type { Notice } from '../layout/page'
import { parseEmailAddress } from '../people/email-address'
import type { SignInDeps } from './deps'
import { oidcRoutes } from './oidc/routes'
import { secondFactorPage, signInPage } from './page'
import { passkeyRoutes } from './passkey-routes'
import { recordSignIn } from './record-security-change'
import { verifySecondFactor } from './second-factor/verify-second-factor'
import { signInWithPassword } from './sign-in-with-password'
import { unlockRoutes } from './unlock/routes'

const notices: Record<string, Notice> = {
  signed_out: { kind: 'done', text: 'You are signed out.' },
  deleted: { kind: 'done', text: 'Your profile is deleted.' },
  reset: { kind: 'done', text: 'The new password is set. Sign in with it.' },
  unlocked: { kind: 'done', text: 'This browser can sign in now. Enter your password.' },
}

/** The same message for a wrong password and an unknown address. */
const invalidCredentials: Notice = { kind: 'wrong', text: 'The e-mail address or the password is wrong.' }

/** /sign-in with password and second factor, passkey or OIDC; and /sign-out. */
export const signInRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'sign-in', normalize: false })
    .use(passkeyRoutes(deps))
    .use(unlockRoutes(deps))
    .use(oidcRoutes(deps))
    .get('/sign-in', async function getSignIn({ request, set }) {
      const query = new URL(request.url).searchParams
      const next = safePath(query.get('next'))
      if (await deps.findPerson(request)) return seeOther(set, next)
      const email = await invitedEmail(deps.sql, next)
      return answerPage(set, signInPage({ email, next, oidcName: deps.oidcName, notice: noticeOf(query) }))
    })
    .post('/sign-in', async function postSignIn({ request, set }) {
      const form = await readForm(request)
      const next = safePath(form.get('next'))
      const [password = ''] = form.all('password')
      const view = { email: form.get('email'), next, oidcName: deps.oidcName }
      const email = parseEmailAddress(view.email)
      if (email === undefined) return answerPage(set, signInPage({ ...view, notice: invalidCredentials }), 400)
      const outcome = await signInWithPassword(deps, { request, set, email, password })
      if (outcome === 'signed_in') return seeOther(set, next)
      if (outcome === 'second_factor') return seeOther(set, `/sign-in/second?next=${encodeURIComponent(next)}`)
      return answerPage(set, signInPage({ ...view, notice: invalidCredentials, unverified: outcome === 'unverified' }), 400)
    })
    .get('/sign-in/second', function getSecond({ request, set }) {
      return answerPage(set, secondFactorPage(safePath(new URL(request.url).searchParams.get('next'))))
    })
    .post('/sign-in/second', async function postSecond({ request, set }) {
      const form = await readForm(request)
      const next = safePath(form.get('next'))
      const outcome = await verifySecondFactor(deps, { request, set, code: form.get('code') })
      if (outcome === 'signed_in') return seeOther(set, next)
      if (outcome === 'ended') return seeOther(set, '/sign-in')
      return answerPage(set, secondFactorPage(next, 'The code is wrong or was already used.'), 400)
    })
    .post('/sign-out', async function postSignOut({ request, set }) {
      const person = await deps.findPerson(request)
      const { headers } = await deps.auth.api.signOut({ headers: authHeaders(request, deps.clientAddress(request)), returnHeaders: true })
      forwardCookies(set, headers)
      if (person) {
        await deleteSession(deps.sql, person.sessionId)
        await recordSignIn(deps.sql, person, 'person.signed_out', 'form')
      }
      // The playground keeps a prompt in the browser.
      set.headers['clear-site-data'] = '"storage"'
      return seeOther(set, '/sign-in?done=signed_out')
    })

/** Errors of an OIDC sign-in. */
const errors: Record<string, string> = {
  account_not_linked:
    'An account with this address already exists. Sign in with it, then connect the provider under “Sign-in and security”.',
  sign_up_refused: 'Your address at the provider can’t sign up here. Use another address.',
  email_not_verified: 'Your address is not confirmed at the provider. Confirm it there first, or sign up here.',
}

function noticeOf(query: URLSearchParams): Notice | undefined {
  const error = query.get('error')
  if (error !== null) return { kind: 'wrong', text: errors[error.toLowerCase()] ?? 'Sign-in failed. Try again, or sign in another way.' }
  return notices[query.get('done') ?? '']
}

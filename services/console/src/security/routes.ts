import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { idleMsMax } from '../auth/find-person'
import { requireRecentSignIn } from '../auth/require-recent-sign-in'
import { deleteOtherSessions, deleteSessionOf, listSessions } from '../auth/session-repository'
import type { Reason } from '../errors'
import { type Person, requireSignIn } from '../http/person'
import { readForm } from '../http/read-form'
import { answerPage, seeOther } from '../layout/answer-page'
import type { Notice } from '../layout/page'
import { invalidNameMessage, isValidName } from '../people/name'
import type { SignInDeps } from '../sign-in/deps'
import { recordSecurityChange } from '../sign-in/record-security-change'
import { changeEmail } from './change-email'
import { changeName } from './change-name'
import { changePassword } from './change-password'
import { codeRoutes } from './code-routes'
import { confirmRoutes } from './confirm-routes'
import { connectionRoutes } from './connection-routes'
import { securityPage } from './page'
import { ownPasskeyRoutes } from './passkey-routes'
import { findSignInMethods, listPasskeys } from './security-repository'

const doneMessages: Record<string, string> = {
  name: 'The name is saved.',
  email_sent: 'A mail is being sent to the new address. The address takes effect after you open the link in it.',
  email: 'You now sign in with the new address.',
  password: 'The new password is set. Other browsers are signed out.',
  passkey_added: 'The passkey is added.',
  passkey_renamed: 'The passkey is renamed.',
  passkey_removed: 'The passkey is removed.',
  codes_off: 'Codes are off.',
  connected: 'You can now sign in with this provider.',
  disconnected: 'You can no longer sign in with this provider.',
  sessions: 'The session has ended.',
}

/** /security: a person's sign-in methods. Everything needs a recent sign-in. */
export const securityRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'security', normalize: false })
    .use(confirmRoutes(deps))
    .use(ownPasskeyRoutes(deps))
    .use(codeRoutes(deps))
    .use(connectionRoutes(deps))
    .use(requireSignIn(deps))
    .get('/security', async function getSecurity({ person, request, set }) {
      await requireRecentSignIn(deps, person)
      const query = new URL(request.url).searchParams
      const message = doneMessages[query.get('done') ?? '']
      const failed: Notice | undefined = query.has('error')
        ? { kind: 'wrong', text: 'The request failed. Nothing was changed.' }
        : undefined
      return answerPage(set, await renderSecurityPage(deps, person, message === undefined ? failed : { kind: 'done', text: message }))
    })
    .post('/security/name', async function postName({ person, request, set }) {
      const name = (await readForm(request)).get('name')
      if (!isValidName(name)) return renderError(deps, set, person, invalidNameMessage)
      await changeName(deps, person, name)
      return seeOther(set, '/security?done=name')
    })
    .post('/security/email', async function postEmail({ person, request, set }) {
      await requireRecentSignIn(deps, person)
      const issue = await changeEmail(deps, { person, request, text: (await readForm(request)).get('email') })
      return issue === undefined ? seeOther(set, '/security?done=email_sent') : renderError(deps, set, person, issue)
    })
    .post('/security/password', async function postPassword({ person, request, set }) {
      await requireRecentSignIn(deps, person)
      const form = await readForm(request)
      const [[current = ''], [password = '']] = [form.all('current_password'), form.all('new_password')]
      const issue = await changePassword(deps, { person, request, set, current, password })
      return issue === undefined ? seeOther(set, '/security?done=password') : renderError(deps, set, person, issue)
    })
    .post('/security/sessions/end-others', async function postEndOthers({ person, set }) {
      await requireRecentSignIn(deps, person)
      const count = await deleteOtherSessions(deps.sql, person.id, person.sessionId)
      if (count > 0) await recordSecurityChange(deps, person, { action: 'person.sessions_ended', change: 'Your other sessions were ended' })
      return seeOther(set, '/security?done=sessions')
    })
    .post('/security/sessions/:session/end', async function postEnd({ person, params, set }) {
      await requireRecentSignIn(deps, person)
      if ((await deleteSessionOf(deps.sql, person.id, params.session)) === 0) throw new Failure<Reason>('not_found')
      await recordSecurityChange(deps, person, {
        action: 'person.session_ended',
        change: 'One of your sessions was ended',
        subject: params.session,
      })
      return seeOther(set, '/security?done=sessions')
    })

async function renderSecurityPage(deps: SignInDeps, person: Person, notice?: Notice): Promise<string> {
  const { sql, oidcName } = deps
  const [signInMethods, passkeys, sessions] = await Promise.all([
    findSignInMethods(sql, person.id),
    listPasskeys(sql, person.id),
    listSessions(sql, person.id, new Date(deps.now().getTime() - idleMsMax)),
  ])
  return securityPage({ person, signInMethods, passkeys, sessions, oidcName, notice })
}

type Settable = { status?: number | string; headers: Record<string, string | number> }

const renderError = async (deps: SignInDeps, set: Settable, person: Person, text: string): Promise<string> =>
  answerPage(set, await renderSecurityPage(deps, person, { kind: 'wrong', text }), 400)

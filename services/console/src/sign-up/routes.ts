import { Elysia } from 'elysia'
import { passwordIssue } from '../auth/common-password'
import { readForm } from '../http/read-form'
import { safePath } from '../http/safe-path'
import { invitedEmail } from '../invitations/invited-email'
import { answerPage, seeOther } from '../layout/answer-page'
import { parseEmailAddress } from '../people/email-address'
import { invalidNameMessage, isValidName } from '../people/name'
import { signUpIssue } from '../people/sign-up-rules'
import type { SignInDeps } from '../sign-in/deps'
import { mailSentPage, type SignUpIssues, signUpPage } from './page'
import { signUp } from './sign-up'
import { verifyRoutes } from './verify-routes'

/** /sign-up, and /verify after it. */
export const signUpRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'sign-up', normalize: false })
    .use(verifyRoutes(deps))
    .get('/sign-up', async function getSignUp({ request, set }) {
      if (await deps.findPerson(request)) return seeOther(set, '/')
      const next = safePath(new URL(request.url).searchParams.get('next'))
      const email = await invitedEmail(deps.sql, next)
      return answerPage(set, signUpPage({ email, oidcName: deps.oidcName, next }))
    })
    .post('/sign-up', async function postSignUp({ request, set }) {
      const form = await readForm(request)
      const [name, next] = [form.get('name'), safePath(form.get('next'))]
      // A password keeps leading and trailing spaces.
      const [password = ''] = form.all('password')
      const email = parseEmailAddress(form.get('email'))
      const issues = issuesOf(deps, { name, email, password })
      if (email === undefined || Object.keys(issues).length > 0)
        return answerPage(set, signUpPage({ name, email: form.get('email'), issues, oidcName: deps.oidcName, next }), 400)
      await signUp(deps, { request, set, name, email, password })
      return seeOther(set, '/sign-up/sent')
    })
    .get('/sign-up/sent', function getSent({ set }) {
      return answerPage(set, mailSentPage())
    })

function issuesOf({ signUpRules }: SignInDeps, given: { name: string; email: string | undefined; password: string }): SignUpIssues {
  const { name, email, password } = given
  const emailIssue = email === undefined ? 'This is not a valid e-mail address.' : signUpIssue(signUpRules, email)
  const wrong = passwordIssue(password, { email: email ?? '', name })
  return {
    ...(!isValidName(name) && { name: invalidNameMessage }),
    ...(emailIssue !== undefined && { email: emailIssue }),
    ...(wrong !== undefined && { password: wrong }),
  }
}

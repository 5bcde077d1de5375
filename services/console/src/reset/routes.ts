import { Elysia } from 'elysia'
import { readForm } from '../http/read-form'
import { answerPage, seeOther } from '../layout/answer-page'
import { enforceLimit } from '../limits/enforce-limit'
import { parseEmailAddress } from '../people/email-address'
import type { SignInDeps } from '../sign-in/deps'
import { linkEndedPage, linkSentPage } from '../sign-in/link-pages'
import { requestMail } from '../sign-in/request-mail'
import { requestResetPage, setPasswordPage } from './page'
import { findPersonByResetToken, setPassword } from './set-password'

/** /reset: requests a link by mail and sets the password with it. */
export const resetRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'reset', normalize: false })
    .get('/reset', async function getReset({ request, set }) {
      const token = new URL(request.url).searchParams.get('token')
      if (token === null) return answerPage(set, requestResetPage())
      await enforceLimit(deps.sql, deps.limits.linkAddress, deps.clientAddress(request))
      const person = await findPersonByResetToken(deps, token)
      return person ? answerPage(set, setPasswordPage({ token, email: person.email })) : answerPage(set, linkEndedPage(), 410)
    })
    .post('/reset', async function postReset({ request, set }) {
      const form = await readForm(request)
      const email = parseEmailAddress(form.get('email'))
      if (email === undefined) return answerPage(set, requestResetPage(form.get('email'), 'This is not a valid e-mail address.'), 400)
      await requestMail(deps, { request, email }, deps.auth.api.requestPasswordReset)
      return seeOther(set, '/reset/sent')
    })
    .get('/reset/sent', function getSent({ set }) {
      return answerPage(set, linkSentPage())
    })
    .post('/reset/set', async function postSet({ request, set }) {
      const form = await readForm(request)
      const [password = ''] = form.all('password')
      const token = form.get('token')
      const done = await setPassword(deps, { request, token, password })
      if (done.outcome === 'ended') return answerPage(set, linkEndedPage(), 410)
      if (done.outcome === 'unfit') return answerPage(set, setPasswordPage({ token, email: done.email, issue: done.issue }), 400)
      return seeOther(set, '/sign-in?done=reset')
    })

import { Elysia } from 'elysia'
import { readForm } from '../door/read-form'
import { answerPage, seeOther } from '../layout/answer-page'
import { takeTry } from '../limits/take-try'
import { emailAddress } from '../people/email-address'
import { askMail } from '../sign-in/ask-mail'
import type { SignInDeps } from '../sign-in/deps'
import { linkEndedPage } from '../sign-in/link-ended-page'
import { askResetPage, resetSentPage, setPasswordPage } from './page'
import { personOfLink, setPassword } from './set-password'

/** /reset: asks for a link by mail, and sets the password by it. */
export const resetRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'reset', normalize: false })
    .get('/reset', async function getReset({ request, set }) {
      const token = new URL(request.url).searchParams.get('token')
      if (token === null) return answerPage(set, askResetPage())
      await takeTry(deps.sql, deps.limits.linkAddress, deps.clientAddress(request))
      const person = await personOfLink(deps, token)
      return person ? answerPage(set, setPasswordPage({ token, email: person.email })) : answerPage(set, linkEndedPage(), 410)
    })
    .post('/reset', async function postReset({ request, set }) {
      const form = await readForm(request)
      const email = emailAddress(form.get('email'))
      if (email === undefined) return answerPage(set, askResetPage(form.get('email'), 'This is no e-mail address.'), 400)
      await askMail(deps, { request, email }, deps.auth.api.requestPasswordReset)
      return seeOther(set, '/reset/sent')
    })
    .get('/reset/sent', function getSent({ set }) {
      return answerPage(set, resetSentPage())
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

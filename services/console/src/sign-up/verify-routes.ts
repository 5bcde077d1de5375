import { Elysia } from 'elysia'
import { hasSignUpCookie } from '../auth/cookies'
import { readForm } from '../http/read-form'
import { answerPage, seeOther } from '../layout/answer-page'
import { parseEmailAddress } from '../people/email-address'
import { findPersonById } from '../people/person-repository'
import type { SignInDeps } from '../sign-in/deps'
import { linkEndedPage } from '../sign-in/link-pages'
import { requestMail } from '../sign-in/request-mail'
import { verifyAgainPage, verifyPage } from './page'
import { type Link, readLink } from './read-link'
import { verifyAddress } from './verify-address'

/** Mail software opens links by itself, so the link shows a button that confirms. */
export const verifyRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'verify', normalize: false })
    .get('/verify', async function getVerify({ request, set }) {
      const token = new URL(request.url).searchParams.get('token') ?? ''
      const link = await openLink(deps, token)
      if (!link) return answerPage(set, linkEndedPage(), 410)
      return answerPage(set, verifyPage(verifyView(deps, request, link, token)))
    })
    .post('/verify', async function postVerify({ request, set }) {
      const form = await readForm(request)
      const token = form.get('token')
      const link = await openLink(deps, token)
      if (!link) return answerPage(set, linkEndedPage(), 410)
      const [password = ''] = form.all('password')
      const outcome = await verifyAddress(deps, { request, set, link, token, password })
      if (outcome === 'ended') return answerPage(set, linkEndedPage(), 410)
      if (outcome === 'wrong_password')
        return answerPage(set, verifyPage({ ...verifyView(deps, request, link, token), issue: 'The password is wrong.' }), 400)
      return seeOther(set, link.newEmail === undefined ? '/' : '/security?done=email')
    })
    .get('/verify/again', function getAgain({ set }) {
      return answerPage(set, verifyAgainPage())
    })
    .post('/verify/again', async function postAgain({ request, set }) {
      const form = await readForm(request)
      const email = parseEmailAddress(form.get('email'))
      if (email === undefined) return answerPage(set, verifyAgainPage(form.get('email'), 'This is not a valid e-mail address.'), 400)
      await requestMail(deps, { request, email }, deps.auth.api.sendVerificationEmail)
      return seeOther(set, '/sign-up/sent')
    })

/** Undefined if the address is already confirmed or changed. */
async function openLink({ sql, authSecrets }: SignInDeps, token: string): Promise<Link | undefined> {
  const link = await readLink(token, authSecrets)
  const person = link && (await findPersonById(sql, link.personId))
  if (!link || person?.email !== link.email) return undefined
  return link.newEmail === undefined && person.emailVerified ? undefined : link
}

const verifyView = (deps: SignInDeps, request: Request, { personId, email, newEmail }: Link, token: string) => ({
  email: newEmail ?? email,
  token,
  isNewAddress: newEmail !== undefined,
  needsPassword: newEmail === undefined && !hasSignUpCookie(deps, request, personId),
})

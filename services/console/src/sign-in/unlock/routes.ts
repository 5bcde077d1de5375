import { Elysia } from 'elysia'
import { readForm } from '../../http/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { enforceLimit } from '../../limits/enforce-limit'
import { parseEmailAddress } from '../../people/email-address'
import type { SignInDeps } from '../deps'
import { linkEndedPage } from '../link-pages'
import { requestMail } from '../request-mail'
import { requestUnlockPage, unlockPage, unlockSentPage } from './page'
import { isUnlockLink, sendUnlockLink, unlockBrowser } from './unlock-link'

/** /sign-in/unlock: a mailed link for a new browser while an account has had too many tries. */
export const unlockRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'unlock', normalize: false })
    .get('/sign-in/unlock', async function getUnlock({ request, set }) {
      const token = new URL(request.url).searchParams.get('token')
      if (token === null) return answerPage(set, requestUnlockPage())
      await enforceLimit(deps.sql, deps.limits.linkAddress, deps.clientAddress(request))
      // Mail software opens links by itself, so the link shows a button.
      return (await isUnlockLink(deps, token)) ? answerPage(set, unlockPage(token)) : answerPage(set, linkEndedPage(), 410)
    })
    .post('/sign-in/unlock', async function postUnlock({ request, set }) {
      const form = await readForm(request)
      const email = parseEmailAddress(form.get('email'))
      if (email === undefined) return answerPage(set, requestUnlockPage(form.get('email'), 'This is not a valid e-mail address.'), 400)
      await requestMail(deps, { request, email }, () => sendUnlockLink(deps, email))
      return answerPage(set, unlockSentPage())
    })
    .post('/sign-in/unlock/use', async function postUnlockUse({ request, set }) {
      const token = (await readForm(request)).get('token')
      return (await unlockBrowser(deps, { request, set, token }))
        ? seeOther(set, '/sign-in?done=unlocked')
        : answerPage(set, linkEndedPage(), 410)
    })

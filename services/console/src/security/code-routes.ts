import { Elysia } from 'elysia'
import { authErrorCode, authHeaders, forwardCookies } from '../auth/auth-request'
import { requireRecentSignIn } from '../auth/require-recent-sign-in'
import { requireSignIn } from '../http/person'
import { readForm } from '../http/read-form'
import { answerPage, seeOther } from '../layout/answer-page'
import { enforceLimit } from '../limits/enforce-limit'
import { prepareSecondFactor } from '../secrets/renew-second-factor'
import type { SignInDeps } from '../sign-in/deps'
import { recordSecurityChange } from '../sign-in/record-security-change'
import { isUnusedCode } from '../sign-in/second-factor/verify-second-factor'
import { backupCodesPage, startCodesPage } from './code-page'

/** Authenticator codes after the password: enabling with a code, backup codes, disabling. */
export const codeRoutes = (deps: SignInDeps) => {
  const headersOf = (request: Request) => authHeaders(request, deps.clientAddress(request))
  const passwordIn = async (request: Request) => (await readForm(request)).all('password')[0]
  return new Elysia({ name: 'codes', normalize: false })
    .use(requireSignIn(deps))
    .post('/security/codes/start', async function postStart({ person, request, set }) {
      await requireRecentSignIn(deps, person)
      await enforceLimit(deps.sql, deps.limits.confirmAccount, person.id)
      const body = { password: await passwordIn(request), method: 'totp' as const }
      const answer = await deps.auth.api.enableTwoFactor({ headers: headersOf(request), body }).catch(authErrorCode)
      if (typeof answer === 'string' || answer.method !== 'totp') return seeOther(set, '/security?error=codes#codes')
      return answerPage(set, startCodesPage(person, answer.totpURI))
    })
    .post('/security/codes/confirm', async function postConfirm({ person, request, set }) {
      await requireRecentSignIn(deps, person)
      const form = await readForm(request)
      const code = form.get('code').replaceAll(/\s/g, '')
      await enforceLimit(deps.sql, deps.limits.secondAccount, person.id)
      await prepareSecondFactor(deps, person.id)
      const options = { headers: headersOf(request), body: { code }, returnHeaders: true as const }
      const isNew = await isUnusedCode(deps, person.id, code)
      const answer = isNew ? await deps.auth.api.verifyTOTP(options).catch(authErrorCode) : 'used before'
      if (typeof answer === 'string')
        return answerPage(set, startCodesPage(person, form.get('uri'), 'The code is wrong. Try the next one.'), 400)
      forwardCookies(set, answer.headers)
      await recordSecurityChange(deps, person, { action: 'person.codes_on', change: 'Authenticator codes were turned on' })
      const { backupCodes } = await deps.auth.api.viewBackupCodes({ body: { userId: person.id } })
      return answerPage(set, backupCodesPage(person, backupCodes))
    })
    .post('/security/codes/backup', async function postBackup({ person, request, set }) {
      await requireRecentSignIn(deps, person)
      await enforceLimit(deps.sql, deps.limits.confirmAccount, person.id)
      const body = { password: await passwordIn(request) }
      const answer = await deps.auth.api.generateBackupCodes({ headers: headersOf(request), body }).catch(authErrorCode)
      if (typeof answer === 'string') return seeOther(set, '/security?error=codes#codes')
      await recordSecurityChange(deps, person, {
        action: 'person.backup_codes_made',
        change: 'New backup codes were created; the old ones no longer work',
      })
      return answerPage(set, backupCodesPage(person, answer.backupCodes))
    })
    .post('/security/codes/off', async function postOff({ person, request, set }) {
      await requireRecentSignIn(deps, person)
      await enforceLimit(deps.sql, deps.limits.confirmAccount, person.id)
      const body = { password: await passwordIn(request) }
      const answer = await deps.auth.api.disableTwoFactor({ headers: headersOf(request), body, returnHeaders: true }).catch(authErrorCode)
      if (typeof answer === 'string') return seeOther(set, '/security?error=codes#codes')
      forwardCookies(set, answer.headers)
      await recordSecurityChange(deps, person, { action: 'person.codes_off', change: 'Authenticator codes were turned off' })
      return seeOther(set, '/security?done=codes_off')
    })
}

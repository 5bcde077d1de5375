import { Elysia } from 'elysia'
import { authHeaders, keepCookies, refusalOf } from '../auth/ask-auth'
import { requireRecent } from '../auth/require-recent'
import { signedIn } from '../door/person'
import { readForm } from '../door/read-form'
import { answerPage, seeOther } from '../layout/answer-page'
import { takeTry } from '../limits/take-try'
import type { SignInDeps } from '../sign-in/deps'
import { noteChange } from '../sign-in/note-act'
import { takeCode } from '../sign-in/second-factor/take-second-factor'
import { backupCodesPage, startCodesPage } from './code-page'

/** Codes of an authenticator after the password: turned on by a code, with backup codes, and off. */
export const codeRoutes = (deps: SignInDeps) => {
  const headersOf = (request: Request) => authHeaders(request, deps.clientAddress(request))
  const passwordIn = async (request: Request) => (await readForm(request)).all('password')[0]
  return new Elysia({ name: 'codes', normalize: false })
    .use(signedIn(deps))
    .post('/security/codes/start', async function postStart({ person, request, set }) {
      await requireRecent(deps, person)
      await takeTry(deps.sql, deps.limits.confirmAccount, person.id)
      const body = { password: await passwordIn(request), method: 'totp' as const }
      const answer = await deps.auth.api.enableTwoFactor({ headers: headersOf(request), body }).catch(refusalOf)
      if (typeof answer === 'string' || answer.method !== 'totp') return seeOther(set, '/security?error=codes#codes')
      return answerPage(set, startCodesPage(person, answer.totpURI))
    })
    .post('/security/codes/confirm', async function postConfirm({ person, request, set }) {
      await requireRecent(deps, person)
      const form = await readForm(request)
      const code = form.get('code').replaceAll(/\s/g, '')
      await takeTry(deps.sql, deps.limits.secondAccount, person.id)
      const options = { headers: headersOf(request), body: { code }, returnHeaders: true as const }
      const isNew = await takeCode(deps, person.id, code)
      const answer = isNew ? await deps.auth.api.verifyTOTP(options).catch(refusalOf) : 'used before'
      if (typeof answer === 'string')
        return answerPage(set, startCodesPage(person, form.get('uri'), 'That code is not right. Try the next one.'), 400)
      keepCookies(set, answer.headers)
      await noteChange(deps, person, { act: 'person.codes_on', words: 'Codes of an authenticator were turned on' })
      const { backupCodes } = await deps.auth.api.viewBackupCodes({ body: { userId: person.id } })
      return answerPage(set, backupCodesPage(person, backupCodes))
    })
    .post('/security/codes/backup', async function postBackup({ person, request, set }) {
      await requireRecent(deps, person)
      await takeTry(deps.sql, deps.limits.confirmAccount, person.id)
      const body = { password: await passwordIn(request) }
      const answer = await deps.auth.api.generateBackupCodes({ headers: headersOf(request), body }).catch(refusalOf)
      if (typeof answer === 'string') return seeOther(set, '/security?error=codes#codes')
      await noteChange(deps, person, { act: 'person.backup_codes_made', words: 'New backup codes were made; the old ones are void' })
      return answerPage(set, backupCodesPage(person, answer.backupCodes))
    })
    .post('/security/codes/off', async function postOff({ person, request, set }) {
      await requireRecent(deps, person)
      await takeTry(deps.sql, deps.limits.confirmAccount, person.id)
      const body = { password: await passwordIn(request) }
      const answer = await deps.auth.api.disableTwoFactor({ headers: headersOf(request), body, returnHeaders: true }).catch(refusalOf)
      if (typeof answer === 'string') return seeOther(set, '/security?error=codes#codes')
      keepCookies(set, answer.headers)
      await noteChange(deps, person, { act: 'person.codes_off', words: 'Codes of an authenticator were turned off' })
      return seeOther(set, '/security?done=codes_off')
    })
}

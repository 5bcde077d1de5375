import type { Secrets } from '@filmgate/kit/environment/secrets'
import { Elysia } from 'elysia'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import { requireRecentSignIn } from '../auth/require-recent-sign-in'
import { type PersonDeps, requireSignIn } from '../http/person'
import { readForm } from '../http/read-form'
import { answerDownload } from '../layout/answer-download'
import { answerPage, seeOther } from '../layout/answer-page'
import { enforceLimit } from '../limits/enforce-limit'
import { exportLimits } from '../limits/limits'
import { jsonLines, jsonLinesType } from '../settings/json-lines'
import type { TemporaryKeyDeps } from '../try-it/revoke-temporary-keys'
import { deletePerson } from './delete-person'
import { exportPerson } from './export-person'
import { personDeletionPage } from './page'
import { listSolelyOwnedAccounts } from './person-data-repository'

export type PersonDeletionDeps = PersonDeps & TemporaryKeyDeps & { authSecrets: Secrets }

/** /security/export and /security/delete: a person's data, and its deletion. */
export const personDeletion = (deps: PersonDeletionDeps) =>
  new Elysia({ name: 'person-deletion', normalize: false })
    .use(requireSignIn(deps))
    .get('/security/export', async function getPersonExport({ set, person }) {
      await requireRecentSignIn(deps, person)
      await enforceLimit(deps.sql, exportLimits.person, person.id)
      await insertAuditEntry(deps.sql, person, { accountId: null, action: 'person.exported', subject: person.id })
      return answerDownload(set, {
        parts: jsonLines(exportPerson(deps, person.id)),
        type: jsonLinesType,
        fileName: `filmgate-person-${deps.now().toISOString().slice(0, 10)}.jsonl`,
      })
    })
    .get('/security/delete', async function getPersonDeletion({ set, person }) {
      await requireRecentSignIn(deps, person)
      return answerPage(set, personDeletionPage({ person, solelyOwned: [...(await listSolelyOwnedAccounts(deps.sql, person.id))] }))
    })
    .post('/security/delete', async function postPersonDeletion({ request, set, person }) {
      await requireRecentSignIn(deps, person)
      const email = (await readForm(request)).get('email')
      const isOwnAddress = email.toLowerCase() === person.email.toLowerCase()
      if (isOwnAddress && (await deletePerson(deps, person))) return seeOther(set, '/sign-in?done=deleted')
      const solelyOwned = [...(await listSolelyOwnedAccounts(deps.sql, person.id))]
      return answerPage(set, personDeletionPage({ person, solelyOwned, ...(!isOwnAddress && { issue: 'That is not your address.' }) }), 400)
    })

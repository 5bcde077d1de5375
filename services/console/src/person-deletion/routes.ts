import { Elysia } from 'elysia'
import { requireRecent } from '../auth/require-recent'
import { type PersonDeps, signedIn } from '../door/person'
import { readForm } from '../door/read-form'
import { answerDownload } from '../layout/answer-download'
import { answerPage, seeOther } from '../layout/answer-page'
import { exportLimits } from '../limits/limits'
import { takeTry } from '../limits/take-try'
import { jsonLines, jsonLinesType } from '../settings/json-lines'
import type { LentDeps } from '../try-it/revoke-lent-keys'
import { deletePerson } from './delete-person'
import { exportPerson } from './export-person'
import { personDeletionPage } from './page'
import { listOwnedAlone } from './person-data-repository'

export type PersonDeletionDeps = PersonDeps & LentDeps & { authSecret: string }

/** /security/export and /security/delete: what is kept of a person, and its end. */
export const personDeletion = (deps: PersonDeletionDeps) =>
  new Elysia({ name: 'person-deletion', normalize: false })
    .use(signedIn(deps))
    .get('/security/export', async function getPersonExport({ set, person }) {
      await requireRecent(deps, person)
      await takeTry(deps.sql, exportLimits.person, person.id)
      const stream = await jsonLines(exportPerson(deps, person.id))
      return answerDownload(set, {
        stream,
        type: jsonLinesType,
        fileName: `filmgate-person-${deps.now().toISOString().slice(0, 10)}.jsonl`,
      })
    })
    .get('/security/delete', async function getPersonDeletion({ set, person }) {
      await requireRecent(deps, person)
      return answerPage(set, personDeletionPage({ person, ownedAlone: [...(await listOwnedAlone(deps.sql, person.id))] }))
    })
    .post('/security/delete', async function postPersonDeletion({ request, set, person }) {
      await requireRecent(deps, person)
      const email = (await readForm(request)).get('email')
      const isTheirs = email.toLowerCase() === person.email.toLowerCase()
      if (isTheirs && (await deletePerson(deps, person))) return seeOther(set, '/sign-in?done=deleted')
      const ownedAlone = [...(await listOwnedAlone(deps.sql, person.id))]
      return answerPage(set, personDeletionPage({ person, ownedAlone, ...(!isTheirs && { issue: 'That is not your address.' }) }), 400)
    })

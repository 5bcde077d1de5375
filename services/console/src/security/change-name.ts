import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Person } from '../http/person'
import { renamePerson } from './security-repository'

/** Changes the person's own name. Both names stay in the audit log until the person is deleted. */
export const changeName = ({ sql }: { sql: Sql }, person: Person, name: string): Promise<void> =>
  sql.begin(async sql => {
    if (!(await renamePerson(sql, person.id, name))) return
    const details = { from: person.name, to: name }
    await insertAuditEntry(sql, person, { accountId: null, action: 'person.renamed', subject: person.id, details })
  })

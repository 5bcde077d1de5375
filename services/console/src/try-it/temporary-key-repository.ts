import type { Sql } from '@filmgate/kit/database/postgres'

/**
 * The person's active temporary keys since then, latest first. Found by the audit log, because anyone can choose a
 * key's name.
 */
export const listTemporaryKeys = (sql: Sql, { accountId, personId, since }: { accountId: string; personId: string; since: Date }) =>
  sql<{ keyId: string }[]>`
    select subject as "keyId" from audit_act lent
    where account_id = ${accountId} and person_id = ${personId} and act = 'key.lent' and at > ${since}
      and not exists (
        select from audit_act ended
        where ended.account_id = lent.account_id and ended.act = 'key.lent_ended' and ended.subject = lent.subject and ended.id > lent.id)
    order by id desc`

import postgres from 'postgres'
import { settings } from '../../support/settings'

const open = () => postgres(settings.postgresUrl.replace(/\/[^/]*$/, '/filmgate_dispatcher'), { max: 1, onnotice: () => {} })

export type Filling = {
  provider: string
  providerModel: string
  count: number
  /** Their first polls are spread over so long. */
  pollEverySeconds: number
  /** Negative: they are younger than any poll, so that the provider's first pause is the one that counts. */
  acceptedSecondsAgo: number
}

/** Puts accepted attempts of a provider in the place of all that the dispatcher has: a hundred thousand generations bought one by one would take an hour. */
export async function fillAttempts({ provider, providerModel, count, pollEverySeconds, acceptedSecondsAgo }: Filling): Promise<void> {
  const sql = open()
  try {
    await sql`truncate attempt, job, provider_pace, provider_asker`
    await sql`
      with made as (
        insert into attempt (id, task_id, account_id, number, provider, provider_model, model, state, provider_task_id, echoed, absence_proves_at, accepted_at)
        select 'at_' || lpad(to_hex(n), 32, '0'), 'vt_' || n, 'acc_' || n % 1000, 1, ${provider}, ${providerModel}, 'alpha-h3', 'accepted',
               'at_' || lpad(to_hex(n), 32, '0'), ${provider === 'simulator'}, now(), now() - ${acceptedSecondsAgo}::float8 * interval '1 second'
        from generate_series(1, ${count}::int) as n
        returning id, account_id
      )
      insert into job (kind, id, fairness_key, run_at)
      select 'attempt', id, account_id, now() + random() * ${pollEverySeconds}::float8 * interval '1 second' from made`
    await sql`vacuum analyze attempt, job`
  } finally {
    await sql.end()
  }
}

export async function emptyAttempts(): Promise<void> {
  const sql = open()
  await sql`truncate attempt, job, provider_pace, provider_asker`
  await sql.end()
}

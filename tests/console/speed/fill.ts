import { run } from '../../support/servers/databases'

export const tasks = 100_000
export const requests = 1_000_000

/** One every four minutes, the oldest of them 300 days ago. */
const moments = `(select n, now() - interval '300 days' + n * interval '4 minutes' as at from generate_series(1, ${tasks}) as n) as made`
const idOf = `'vt_' || lpad(n::text, 26, '0')`

/** Fills an account with what somebody has after years: tasks that have ended, of both surfaces, some of them failed; what they cost; acts. */
export async function fill(accountId: string): Promise<void> {
  await run(
    'gateway',
    `insert into task (id, account_id, key_id, surface, idempotency_key, fingerprint, model, mode, resolution, billed_seconds, price_version,
                       phase, phase_rank, billing_status, billing_rank, credits_used, credits_refunded, video_url, error_code, error_message,
                       created_at, updated_at, admit_by, prompt)
     select ${idOf}, $1, 'key_of_years', case when n % 3 = 0 then 'web' else 'api' end, n::text, '\\x00', 'alpha-h3',
            'text-to-video', '768p', 5, '1', case when n % 50 = 0 then 'failed' else 'completed' end, 4,
            case when n % 50 = 0 then 'refunded' else 'settled' end, 5, 50, case when n % 50 = 0 then 50 else 0 end,
            case when n % 50 = 0 then null else 'https://videos.example/' || n || '.mp4' end,
            case when n % 50 = 0 then 'generation_failed' end, case when n % 50 = 0 then 'The video could not be made.' end,
            at, at, at, 'A paper boat on a rainy street, number ' || n
     from ${moments}`,
    [accountId],
  )
  await run(
    'gateway',
    `insert into usage_entry (task_id, kind, account_id, at, model, mode, resolution, billed_seconds, price_version, credits, balance_after)
     select ${idOf}, 'reservation', $1, at, 'alpha-h3', 'text-to-video', '768p', 5, '1', -50, 50 * (${tasks} - n) from ${moments}`,
    [accountId],
  )
  await run(
    'console',
    `insert into audit_act (account_id, person_email, act, subject, at)
     select $1, 'years@people.example', 'account.opened', n::text, at from ${moments}`,
    [accountId],
  )
  await run(
    'gateway',
    `insert into request_log (account_id, key_id, at, method, path, status, code, duration_ms, request_id, refusal)
     select $1, 'key_of_years', now() - n * interval '2 seconds', 'POST', '/api/v1/video/generations', case when n % 20 = 0 then 402 else 202 end,
            case when n % 20 = 0 then 'insufficient_credits' end, 12, gen_random_uuid(),
            case when n % 20 = 0 then '{"error":{"code":"insufficient_credits","message":"Too few credits."}}' end
     from generate_series(1, ${requests}) as n`,
    [accountId],
  )
  await run(
    'gateway',
    `insert into request_count (account_id, day, key_id, method, route, status, requests)
     select $1, current_date - days, 'key_' || keys, 'POST', '/api/v1/video/generations', status, 1000
     from generate_series(0, 29) as days, generate_series(1, 10) as keys, unnest(array[202, 402, 429]) as status`,
    [accountId],
  )
  await run('gateway', 'analyze task, usage_entry, request_log, request_count')
  await run('console', 'analyze audit_act')
}

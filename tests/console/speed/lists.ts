import { run } from '../../support/servers/databases'
import type { Report } from '../../support/suite/report'
import { timed } from '../../support/until'
import type { Newcomer } from '../people/sign-up'
import { percentile } from './percentile'

const tasks = 100_000
const pageMsMax = 50
const warmUps = 20
const visits = 100

/** Fills an account with tasks that have ended, of both surfaces, some of them failed: as many as somebody has after years. */
async function fill(accountId: string): Promise<void> {
  await run(
    'gateway',
    `insert into task (id, account_id, key_id, surface, idempotency_key, fingerprint, model, mode, resolution, billed_seconds, price_version,
                       phase, phase_rank, billing_status, billing_rank, credits_used, credits_refunded, video_url, error_code, error_message,
                       created_at, updated_at, admit_by, prompt)
     select 'vt_' || lpad(n::text, 26, '0'), $1, 'key_of_years', case when n % 3 = 0 then 'web' else 'api' end, n::text, '\\x00', 'alpha-h3',
            'text-to-video', '768p', 5, '1', case when n % 50 = 0 then 'failed' else 'completed' end, 4,
            case when n % 50 = 0 then 'refunded' else 'settled' end, 5, 50, case when n % 50 = 0 then 50 else 0 end,
            case when n % 50 = 0 then null else 'https://videos.example/' || n || '.mp4' end,
            case when n % 50 = 0 then 'generation_failed' end, case when n % 50 = 0 then 'The video could not be made.' end,
            at, at, at, 'A paper boat on a rainy street, number ' || n
     from (select n, now() - interval '300 days' + n * interval '4 minutes' as at from generate_series(1, ${tasks}) as n) as made`,
    [accountId],
  )
  await run('gateway', 'analyze task')
}

/** The list of an account of many tasks: each page of it within so many ms of the server, whatever is asked for. */
export async function proveLists(report: Report, { accountId, wire }: Newcomer): Promise<void> {
  await fill(accountId)
  const list = `/accounts/${accountId}/tasks`
  const look = async (path: string) => {
    const { answer, ms } = await timed(wire.get(path))
    if (answer.status !== 200 || !answer.text.includes('data-task=')) throw new Error(`${path}: ${answer.status}`)
    return { ms, older: /href="([^"]*cursor=[^"]*)"/.exec(answer.text)?.[1]?.replaceAll('&amp;', '&') }
  }
  for (let visit = 0; visit < warmUps; visit++) await look(list)
  for (const [name, query] of Object.entries({
    all: '',
    failed: '?status=failed',
    web: '?surface=web',
    'failed of the web': '?status=failed&surface=web',
  })) {
    const times: number[] = []
    let path = `${list}${query}`
    // Older and older: a page far down must cost what the first one does.
    for (let visit = 0; visit < visits; visit++) {
      const { ms, older } = await look(path)
      times.push(ms)
      path = older ?? `${list}${query}`
    }
    const [half, most] = [percentile(times, 0.5), percentile(times, 0.99)]
    report.figure(`speed.list.${name}.p50Ms`, half)
    report.figure(`speed.list.${name}.p99Ms`, most)
    report.check(`a page of ${tasks} tasks (${name}) comes within ${pageMsMax} ms`, half <= pageMsMax, `p50 ${half} ms, p99 ${most} ms`)
  }
}

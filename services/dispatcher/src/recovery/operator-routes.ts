import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import { By, operatorName } from '@filmgate/kit/operator/operator-name'
import type { Operators } from '@filmgate/kit/operator/operators'
import { replayBody } from '@filmgate/kit/operator/replay-body'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { id, words } from '@filmgate/kit/request/text'
import type { PublishedEvents, ReplayPart, RestoredOutput } from '@filmgate/proto/operator/task'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { type ReleaseDeps, releaseTask } from './release'
import { replay, replaySince } from './replay'
import { type RestoreOutputDeps, restoreOutput } from './restore-output'

export type RecoveryRouteDeps = ReleaseDeps & RestoreOutputDeps & { operators: Operators }

const taskIdForm = /^[A-Za-z0-9_-]{1,120}$/
const ReplaySince = replayBody('tasks')
const Release = Type.Object({ account_id: id, model: words(200, 0), reason: words(500), by: By }, { additionalProperties: false })

/** What operators do with a task that makes no progress. */
export const recoveryRoutes = (deps: RecoveryRouteDeps) =>
  new Elysia({ name: 'recovery', prefix: '/operator', normalize: false })
    .use(operatorAuth(deps.operators))
    .post(
      '/tasks/:id/replay',
      async function postReplay({ params, request }): Promise<PublishedEvents> {
        operatorName(request)
        if (!taskIdForm.test(params.id)) throw new Failure<Reason>('task_not_found')
        const { attempts, events } = await deps.outbox.transaction((sql, send) => replay(deps, { sql, send }, [params.id]))
        if (attempts.length === 0) throw new Failure<Reason>('task_not_found')
        return { published: events }
      },
      needsRole('support'),
    )
    .post(
      '/replay',
      async function postReplaySince({ request }): Promise<ReplayPart> {
        const { since, after = '' } = await readJsonAs(ReplaySince, request)
        operatorName(request)
        return replaySince(deps, { since: new Date(since), after })
      },
      needsRole('support', ReplaySince),
    )
    .post(
      '/tasks/:id/restore-output',
      async function postRestoreOutput({ params, request }): Promise<RestoredOutput> {
        operatorName(request)
        if (!taskIdForm.test(params.id)) throw new Failure<Reason>('output_not_kept')
        return { task_id: params.id, copied_bytes: await restoreOutput(deps, params.id) }
      },
      needsRole('support'),
    )
    .post(
      '/tasks/:id/release',
      async function postRelease({ params, request }): Promise<PublishedEvents> {
        const { account_id, model, reason, by } = await readJsonAs(Release, request)
        if (!taskIdForm.test(params.id)) throw new Failure<Reason>('task_not_found')
        return {
          published: await releaseTask(deps, { taskId: params.id, accountId: account_id, model, reason, by: operatorName(request, by) }),
        }
      },
      needsRole('support', Release),
    )

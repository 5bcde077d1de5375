import { checkBody } from '@filmgate/kit/check-body'
import { Failure } from '@filmgate/kit/failure'
import { requireBearer } from '@filmgate/kit/require-bearer'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { type ReleaseDeps, releaseTask } from './release'
import { retell } from './retell'

export type RetellingDeps = ReleaseDeps & { operatorToken: string }

/** Without control characters, which neither a row nor a terminal should hold. */
const words = (lengthMin: number) => Type.String({ minLength: lengthMin, maxLength: 500, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
const taskIdForm = /^[A-Za-z0-9_-]{1,120}$/
const Release = Type.Object({ account_id: words(1), model: words(0), reason: words(1), by: words(1) }, { additionalProperties: false })

/** What operators do with a task that stands still. */
export const retelling = (deps: RetellingDeps) =>
  new Elysia({ name: 'retelling', prefix: '/operator', normalize: false })
    .use(requireBearer(deps.operatorToken, () => new Failure<Reason>('operator_token_required')))
    .post('/tasks/:id/retell', async function postRetell({ params }) {
      const told = taskIdForm.test(params.id) ? await retell(deps, [params.id]) : undefined
      if (!told) throw new Failure<Reason>('task_not_found')
      return { told }
    })
    .post(
      '/tasks/:id/release',
      async function postRelease({ params, body }) {
        const { account_id, model, reason, by } = checkBody(Release, body)
        if (!taskIdForm.test(params.id)) throw new Failure<Reason>('task_not_found')
        return { told: await releaseTask(deps, { taskId: params.id, accountId: account_id, model, reason, by }) }
      },
      { parse: 'json' },
    )

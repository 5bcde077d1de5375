import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { type MemberDeps, requireMember, requireRole } from '../accounts/require-member'
import type { Reason } from '../errors'
import type { Gateway, KeyView, Page, TaskTimelineView, TaskView } from '../gateway/gateway'
import { answerPage, seeOther } from '../layout/answer-page'
import type { FindModels } from '../models/find-models'
import { cancelTask } from './cancel-task'
import { taskCard, taskPath } from './gallery/card'
import { galleryPage } from './gallery/page'
import { queryOf, readFilter } from './gallery/read-filter'
import { refreshTasks } from './gallery/refresh-tasks'
import { findInputs, type InputDeps, signInput } from './inputs'
import { createLongPollLimiter } from './long-poll-limiter'
import { type DownloadDeps, signDownload } from './sign-download'
import { type TaskContent, taskContent, taskPage } from './task-page'

export type TasksDeps = MemberDeps & DownloadDeps & InputDeps & { gateway: Gateway; findModels: FindModels }

const pageSize = 24
const taskId = /^[A-Za-z0-9_-]{1,120}$/
/** How long the gateway holds a request for a change of the task. Proxies must allow it. */
const waitSeconds = 20
const waitMsMax = 30_000

/** /accounts/:id/tasks: the videos of an account, and each with its timeline. */
export const tasks = (deps: TasksDeps) => {
  const limitLongPolls = createLongPollLimiter()
  return new Elysia({ name: 'tasks', normalize: false })
    .use(requireMember(deps))
    .get('/accounts/:id/tasks', async function getTasks({ request, set, ...context }) {
      const entered = readFilter(new URL(request.url).searchParams)
      const { gateway, findModels } = deps
      const path = `/accounts/${context.member.accountId}`
      const [tasks, keys, models] = await Promise.all([
        gateway.get<Page<TaskView>>(context.person, `${path}/tasks?${queryOf(entered.filter, pageSize)}`),
        gateway.get<{ data: KeyView[] }>(context.person, `${path}/keys`),
        findModels(context.person),
      ])
      const choices = { keys: keys.data, models: models.data.map(({ id }) => id) }
      return answerPage(set, galleryPage({ ...context, ...entered, ...choices, tasks, pageSize }))
    })
    .get('/accounts/:id/tasks/live', async function getLiveTasks({ request, person, member }) {
      const ids = (new URL(request.url).searchParams.get('ids') ?? '').split(',')
      const { accountId } = member
      const found = await refreshTasks(deps.gateway, { actor: person, accountId, ids })
      return { tasks: found.map(task => ({ id: task.id, status: task.status, card: taskCard(accountId, task).text })) }
    })
    .get('/accounts/:id/tasks/:task', async function getTask({ params, set, ...context }) {
      return answerPage(set, taskPage({ ...context, ...(await findContent(deps, context, params.task)) }))
    })
    .post('/accounts/:id/tasks/:task/cancel', async function postCancel({ params, set, ...context }) {
      requireRole(context.member, 'member')
      const notice = await cancelTask(deps.gateway, context.person, taskPathOf(context, params.task))
      if (!notice) return seeOther(set, taskPath(context.member.accountId, { id: params.task }))
      return answerPage(set, taskPage({ ...context, ...(await findContent(deps, context, params.task)), notice }), 409)
    })
    .get('/accounts/:id/tasks/:task/video', async function getVideo({ params, set, ...context }) {
      const url = await signDownload(deps, await deps.gateway.get<TaskView>(context.person, taskPathOf(context, params.task)))
      if (url === undefined) throw new Failure<Reason>('not_found')
      return seeOther(set, url)
    })
    .get('/accounts/:id/tasks/:task/inputs/:input', async function getInput({ params, set, ...context }) {
      const { request } = await findTimeline(deps, context, params.task)
      const url = await signInput(deps, { accountId: context.member.accountId, request }, Number(params.input))
      if (url === undefined) throw new Failure<Reason>('not_found')
      return seeOther(set, url)
    })
    .get('/accounts/:id/tasks/:task/live', async function getLiveTask({ params, request, ...context }) {
      const path = taskPathOf(context, params.task)
      return limitLongPolls(context.person.id, async held => {
        const headers: Record<string, string> = held ? { prefer: `wait=${waitSeconds}` } : {}
        await deps.gateway.get<TaskView>(context.person, path, { headers, signal: request.signal, timeoutMs: waitMsMax })
        const content = await findContent(deps, context, params.task)
        return { status: content.timeline.task.status, content: taskContent(context.member, content).text, held }
      })
    })
}

type RequestContext = { person: { id: string; email: string }; member: { accountId: string } }

const findTimeline = (deps: TasksDeps, context: RequestContext, task: string): Promise<TaskTimelineView> =>
  deps.gateway.get<TaskTimelineView>(context.person, `${taskPathOf(context, task)}/story`)

async function findContent(deps: TasksDeps, context: RequestContext, task: string): Promise<TaskContent> {
  const timeline = await findTimeline(deps, context, task)
  return { timeline, inputs: await findInputs(deps, { accountId: context.member.accountId, request: timeline.request }) }
}

function taskPathOf({ member }: RequestContext, task: string): string {
  if (!taskId.test(task)) throw new Failure<Reason>('not_found')
  return `/accounts/${member.accountId}/tasks/${task}`
}

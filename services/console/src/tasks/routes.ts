import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { type MemberDeps, memberOf } from '../accounts/member-of'
import type { Reason } from '../errors'
import type { Gateway, Page, StoryView, TaskView } from '../gateway/gateway'
import { answerPage } from '../layout/answer-page'
import { taskCard } from './card'
import { findChanged, idsMax } from './find-changed'
import { type Filter, galleryPage } from './gallery-page'
import { createHold } from './held-requests'
import { taskContent, taskPage } from './task-page'
import { statusWords, surfaceWords } from './task-words'

export type TasksDeps = MemberDeps & { gateway: Gateway }

const pageSize = 24
const taskId = /^[A-Za-z0-9_-]{1,120}$/
const cursorCharactersMax = 500
/** How long a page waits for a task to change before it asks anew; proxies bear it. */
const waitSeconds = 20
const waitMsMax = 30_000

/** /accounts/:id/tasks: the videos of an account, and each with its story. */
export const tasks = (deps: TasksDeps) => {
  const hold = createHold()
  return new Elysia({ name: 'tasks', normalize: false })
    .use(memberOf(deps))
    .get('/accounts/:id/tasks', async function getTasks({ request, set, ...inside }) {
      const filter = readFilter(new URL(request.url).searchParams)
      const query = new URLSearchParams({ ...filter, limit: String(pageSize) })
      const found = await deps.gateway.get<Page<TaskView>>(inside.person, `/accounts/${inside.member.accountId}/tasks?${query.toString()}`)
      return answerPage(set, galleryPage({ ...inside, tasks: found, filter }))
    })
    .get('/accounts/:id/tasks/live', async function getLiveTasks({ request, person, member }) {
      const ids = (new URL(request.url).searchParams.get('ids') ?? '').split(',').filter(id => taskId.test(id))
      const { accountId } = member
      const found = ids.length > 0 ? await findChanged(deps.gateway, { actor: person, accountId, ids: ids.slice(0, idsMax) }) : []
      return { tasks: found.map(task => ({ id: task.id, status: task.status, card: taskCard(accountId, task).text })) }
    })
    .get('/accounts/:id/tasks/:task', async function getTask({ params, set, ...inside }) {
      return answerPage(set, taskPage({ ...inside, story: await findStory(deps, inside, params.task) }))
    })
    .get('/accounts/:id/tasks/:task/live', async function getLiveTask({ params, request, ...inside }) {
      const path = taskPathOf(inside, params.task)
      return hold(inside.person.id, async held => {
        const headers: Record<string, string> = held ? { prefer: `wait=${waitSeconds}` } : {}
        await deps.gateway.get<TaskView>(inside.person, path, { headers, signal: request.signal, timeoutMs: waitMsMax })
        const story = await findStory(deps, inside, params.task)
        return { status: story.task.status, content: taskContent(inside.member.accountId, story).text, held }
      })
    })
}

type Asking = { person: { id: string; email: string }; member: { accountId: string } }

const findStory = (deps: TasksDeps, inside: Asking, task: string): Promise<StoryView> =>
  deps.gateway.get<StoryView>(inside.person, `${taskPathOf(inside, task)}/story`)

function taskPathOf({ member }: Asking, task: string): string {
  if (!taskId.test(task)) throw new Failure<Reason>('not_found')
  return `/accounts/${member.accountId}/tasks/${task}`
}

/** What is no filter of ours counts as none. */
function readFilter(query: URLSearchParams): Filter {
  const [status, surface, cursor] = ['status', 'surface', 'cursor'].map(name => query.get(name) ?? '')
  return {
    ...(status && Object.hasOwn(statusWords, status) && { status }),
    ...(surface && Object.hasOwn(surfaceWords, surface) && { surface }),
    ...(cursor && cursor.length <= cursorCharactersMax && { cursor }),
  }
}

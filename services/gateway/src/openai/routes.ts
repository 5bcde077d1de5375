import { Failure } from '@filmgate/kit/failure'
import { noteRequest } from '@filmgate/kit/http/spans'
import { Elysia } from 'elysia'
import type { Catalog } from '../catalog/catalog-table'
import { readAlone } from '../database/batched-read'
import type { Reason } from '../errors'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import { oneOf, pageSize, readQuery } from '../paging/read-query'
import { pollSeconds, shownStatus } from '../tasks/task'
import { taskIdForm } from '../tasks/task-id'
import { type CreateVideoDeps, createVideo } from './create-video'
import { type DeleteVideoDeps, deleteVideo } from './delete-video'
import { openAiModelView } from './model-view'
import { findVideo, listVideos } from './video-repository'
import { videoList, videoView } from './video-view'

export type OpenAiDeps = CreateVideoDeps & DeleteVideoDeps & AuthenticateDeps

type Set = { status?: number | string; headers: Record<string, string | number> }

/** `/openai/v1/videos`: the tasks of the API in the shapes of OpenAI's videos API. */
export const openAiVideos = (deps: OpenAiDeps) =>
  new Elysia({ name: 'openai-videos', normalize: false })
    .use(authenticate(deps))
    .post(
      '/videos',
      async function postVideo({ request, caller, leftMs, set }) {
        const { task, replayed } = await createVideo(deps, { request, caller, leftMs })
        noteRequest(request, { task_id: task.id })
        if (replayed) set.headers['idempotent-replayed'] = 'true'
        return showVideo(deps, { id: task.id, accountId: caller.accountId, evenDeleted: true, leftMs }, set)
      },
      { parse: 'none' },
    )
    .get('/videos', async function getVideos({ request, caller, leftMs }) {
      const { limit, order, after } = readQuery(request.url, { limit: pageSize(20, 100), order: oneOf(['asc', 'desc']), after: idOrNull })
      const filter = { accountId: caller.accountId, after, order: order ?? 'desc', rowsMax: limit + 1 }
      return videoList(await readAlone(listVideos(deps.sql, filter), leftMs), limit)
    })
    .get('/videos/:id', async function getVideo({ params, caller, leftMs, set }) {
      return showVideo(deps, { id: requireId(params.id), accountId: caller.accountId, leftMs }, set)
    })
    .get('/videos/:id/content', async function getVideoContent({ params, request, caller, leftMs, set }) {
      const id = requireId(params.id)
      const { variant } = readQuery(request.url, { variant: oneOf(['video', 'thumbnail']) })
      const task = await requireVideo(deps, { id, accountId: caller.accountId, leftMs })
      const status = shownStatus(task)
      const url = variant === 'thumbnail' ? task.posterUrl : task.videoUrl
      if (status !== 'completed' || url === null) throw notReady(status)
      // The clients follow it, and leave the key behind at another host.
      set.status = 302
      set.headers.location = url
    })
    .delete('/videos/:id', async function deleteVideoById({ params, caller: { accountId }, leftMs }) {
      const id = requireId(params.id)
      await deleteVideo(deps, { id, accountId, leftMs })
      return { id, object: 'video.deleted' as const, deleted: true }
    })

function idOrNull(raw: string | null): string | null {
  if (raw !== null && !taskIdForm.test(raw)) throw new Error('must be the id of a video')
  return raw
}

function requireId(id: string): string {
  if (!taskIdForm.test(id)) throw new Failure<Reason>('invalid_task_id')
  return id
}

type Read = { id: string; accountId: string; evenDeleted?: boolean; leftMs: number }

async function requireVideo({ sql }: OpenAiDeps, { leftMs, ...read }: Read) {
  const task = await readAlone(findVideo(sql, read), leftMs)
  if (!task) throw new Failure<Reason>('task_not_found')
  return task
}

/** While it is made, the answer says when to ask again: OpenAI's clients would ask every second. */
async function showVideo(deps: OpenAiDeps, read: Read, { headers }: Set) {
  const task = await requireVideo(deps, read)
  if (shownStatus(task) === 'processing') {
    headers['retry-after'] = pollSeconds
    headers['openai-poll-after-ms'] = String(Number(pollSeconds) * 1_000)
  }
  return videoView(task)
}

const notReadyWords: Record<ReturnType<typeof shownStatus>, string | undefined> = {
  processing: undefined,
  failed: 'The video failed: there is nothing to download. Credits are returned.',
  completed: 'The video has no thumbnail.',
}

function notReady(status: ReturnType<typeof shownStatus>): Failure<Reason> {
  const message = notReadyWords[status]
  return new Failure<Reason>('video_not_ready', message === undefined ? {} : { message })
}

/** `/openai/v1/models`: the names of what can be had. */
export const openAiModels = (deps: { currentCatalog(): Catalog } & AuthenticateDeps) =>
  new Elysia({ name: 'openai-models', normalize: false })
    .use(authenticate(deps))
    .get('/models', function getOpenAiModels() {
      return { object: 'list' as const, data: modelViews(deps.currentCatalog()) }
    })
    .get('/models/:id', function getOpenAiModel({ params }) {
      const model = modelViews(deps.currentCatalog()).find(({ id }) => id === params.id)
      if (!model) throw new Failure<Reason>('model_not_found')
      return model
    })

const modelViews = ({ models }: Catalog) => [...models.values()].filter(({ available }) => available).map(openAiModelView)

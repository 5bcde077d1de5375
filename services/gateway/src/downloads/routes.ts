import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import type { FindShownTask } from '../tasks/find-task'
import { taskIdForm } from '../tasks/task-id'
import { taskView } from '../tasks/task-view'
import type { SignDownload } from './sign-download'

export type DownloadDeps = { findShownTask: FindShownTask; signDownload: SignDownload }

/** GET /tasks/{id}/download: leads to the video as a file to save. */
export const downloads = (deps: DownloadDeps & AuthenticateDeps) =>
  new Elysia({ name: 'downloads', normalize: false })
    .use(authenticate(deps))
    .get('/tasks/:id/download', async function getDownload({ params: { id }, caller, leftMs, set }) {
      if (!taskIdForm.test(id)) throw new Failure<Reason>('invalid_task_id')
      const task = await deps.findShownTask(id, caller.accountId, leftMs)
      if (!task) throw new Failure<Reason>('task_not_found')
      const { output } = taskView(task)
      if (!output) throw new Failure<Reason>('no_video')
      set.status = 302
      set.headers.location = await deps.signDownload(output.video_url, `${id}.mp4`)
      set.headers['cache-control'] = 'no-store'
      return ''
    })

import { FilmgateError, type Progress } from '@filmgate/client'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Session } from '../session.ts'
import { toolError } from '../tool-error.ts'
import { reportProgress } from './report-progress.ts'
import { nextStep, taskResult, taskShape } from './task-shape.ts'

/** Below the minute after which most clients give up on a call. */
const secondsDefault = 45
const secondsMax = 600

/** How far a phase is of the whole, in percent. */
const leastOf: Record<Progress['phase'], number> = { queued: 5, generating: 10, copying: 92, review: 10, settled: 100, failed: 100 }

/** Waits for a task's end for a bounded time; a task goes on without it. */
export function waitForVideo(server: McpServer, session: Session): void {
  const about = {
    title: 'Wait for a video',
    description:
      'Waits until a task has ended, with progress, for at most `seconds`. If it has not ended by then, the answer says so: call again. ' +
      'The video goes on in any case.',
    inputSchema: z.strictObject({
      task_id: z.string(),
      seconds: z.int().min(1).max(secondsMax).default(secondsDefault).describe('How long to wait. Many clients give up after 60.'),
    }),
    outputSchema: { ...taskShape, next: z.string() },
    annotations: { readOnlyHint: true, openWorldHint: true },
  }
  server.registerTool('wait_for_video', about, async ({ task_id, seconds }, extra) => {
    const progress = reportProgress(extra)
    const onProgress = ({ phase, percent = 0 }: Progress) =>
      progress.tell(
        percent > 0 ? `${phase}, ${percent} %` : phase,
        Math.max(leastOf[phase], phase === 'generating' ? 10 + percent * 0.8 : 0),
      )
    try {
      await session.filmgate.wait(task_id, { signal: extra.signal, timeoutMs: seconds * 1_000, onProgress }).catch(unlessOver)
      const task = await session.filmgate.tasks.get(task_id, { signal: extra.signal })
      session.budget?.saw(task)
      return taskResult(task, { next: nextStep(task) })
    } catch (error) {
      return toolError(error)
    } finally {
      progress.stop()
    }
  })
}

/** The task itself says how it ended, or that it goes on. */
function unlessOver(error: unknown): void {
  const over = error instanceof FilmgateError && (error.code === 'timeout' || error.task !== undefined)
  if (!over) throw error
}

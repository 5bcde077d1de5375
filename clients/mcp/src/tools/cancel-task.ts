import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Session } from '../session.ts'
import { toolError } from '../tool-error.ts'
import { nextStep, taskResult, taskShape } from './task-shape.ts'

/** Ends a task, where that can still be done. */
export function cancelTask(server: McpServer, session: Session): void {
  const about = {
    title: 'Cancel a task',
    description:
      'Ends a task that is still processing; its credits come back once its end is sure. A provider that has the task may refuse: ' +
      'then the video goes on and is charged.',
    inputSchema: z.strictObject({ task_id: z.string() }),
    outputSchema: { ...taskShape, next: z.string() },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  }
  server.registerTool('cancel_task', about, async ({ task_id }, { signal }) => {
    try {
      const task = await session.filmgate.tasks.cancel(task_id, { signal })
      session.budget?.saw(task)
      return taskResult(task, {
        next: task.error?.code === 'cancelled' ? 'The task was cancelled, and its credits come back.' : nextStep(task),
      })
    } catch (error) {
      return toolError(error)
    }
  })
}

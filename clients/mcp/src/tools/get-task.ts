import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Session } from '../session.ts'
import { toolError } from '../tool-error.ts'
import { nextStep, taskResult, taskShape } from './task-shape.ts'

/** A task as it is now. */
export function getTask(server: McpServer, session: Session): void {
  const about = {
    title: 'Get a task',
    description: 'Reads a task as it is now: its status, cost, and video_url once it is completed. Read it every ten seconds at most.',
    inputSchema: z.strictObject({ task_id: z.string() }),
    outputSchema: { ...taskShape, next: z.string() },
    annotations: { readOnlyHint: true, openWorldHint: true },
  }
  server.registerTool('get_task', about, async ({ task_id }, { signal }) => {
    try {
      const task = await session.filmgate.tasks.get(task_id, { signal })
      session.budget?.saw(task)
      return taskResult(task, { next: nextStep(task) })
    } catch (error) {
      return toolError(error)
    }
  })
}

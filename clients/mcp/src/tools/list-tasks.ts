import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Session } from '../session.ts'
import { toolError } from '../tool-error.ts'
import { taskShape, taskView } from './task-shape.ts'

/** The account's tasks, newest first. */
export function listTasks(server: McpServer, session: Session): void {
  const about = {
    title: 'List tasks',
    description: 'Lists the tasks of the account, newest first, a page at a time.',
    inputSchema: z.strictObject({
      status: z.enum(['processing', 'completed', 'failed']).optional(),
      limit: z.int().min(1).max(50).default(10),
      cursor: z.string().optional().describe('next_cursor of the page before.'),
    }),
    outputSchema: { tasks: z.array(z.object(taskShape)), next_cursor: z.string().nullable() },
    annotations: { readOnlyHint: true, openWorldHint: true },
  }
  server.registerTool('list_tasks', about, async (given, { signal }) => {
    try {
      const { data, next_cursor } = await session.filmgate.tasks.list({ ...given, signal }).page()
      for (const task of data) session.budget?.saw(task)
      const structuredContent = { tasks: data.map(taskView), next_cursor }
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 1) }], structuredContent }
    } catch (error) {
      return toolError(error)
    }
  })
}

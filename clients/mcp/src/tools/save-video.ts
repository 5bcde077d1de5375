import { link, realpath, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Session } from '../session.ts'
import { toolError } from '../tool-error.ts'

/** A name alone: without folders there is no way out of the directory. It begins with a letter or a digit, so nothing hidden is written. */
export const fileNameForm = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,120}\.mp4$/

/** Saves a video as a new file of the directory that was named at the start. */
export function saveVideo(server: McpServer, session: Session & { saveTo: string }): void {
  const about = {
    title: 'Save a video',
    description: `Saves the video of a completed task as a new file in ${session.saveTo}, where this server runs. It never overwrites.`,
    inputSchema: z.strictObject({
      task_id: z.string(),
      file_name: z.string().regex(fileNameForm, 'A name without folders, of letters, digits, spaces and . _ -, ending in .mp4.'),
    }),
    outputSchema: { path: z.string(), bytes: z.number() },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  }
  server.registerTool('save_video', about, async ({ task_id, file_name }, { signal }) => {
    try {
      const task = await session.filmgate.tasks.get(task_id, { signal })
      session.budget?.saw(task)
      if (task.status !== 'completed') return toolError(new Error(`The task ${task_id} is ${task.status}: it has no video to save.`))
      const video = await session.filmgate.wait(task, { signal })
      const structuredContent = await saveNew(session.saveTo, file_name, path => video.save(path, { signal }))
      return { content: [{ type: 'text', text: `Saved to ${structuredContent.path}` }], structuredContent }
    } catch (error) {
      return toolError(error)
    }
  })
}

/** Writes beside the name and links it there: a file that is there already is never touched, and none is ever seen in part. */
export async function saveNew(
  directory: string,
  name: string,
  write: (path: string) => Promise<void>,
): Promise<{ path: string; bytes: number }> {
  const folder = await realpath(directory)
  const path = join(folder, name)
  const partial = join(folder, `.${crypto.randomUUID()}.part.mp4`)
  try {
    await write(partial)
    await link(partial, path).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? new Error(`There is a ${name} already. Choose another file_name.`) : error
    })
    return { path, bytes: (await stat(path)).size }
  } finally {
    await unlink(partial).catch(() => {})
  }
}

import type { VideoTask } from '@filmgate/client'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

/** A task as tools show it. */
export const taskShape = {
  task_id: z.string(),
  status: z.enum(['processing', 'completed', 'failed']),
  model: z.string(),
  mode: z.string(),
  credits_used: z.int().describe('What was charged at first.'),
  credits_refunded: z.int().describe('What came back of it: the rest is the cost.'),
  billing_status: z.string().nullable().describe('review: whether there will be a video is not known yet, and the credits are held.'),
  video_url: z.string().nullable().describe('The MP4, once completed. Anyone who has the URL can fetch it.'),
  error: z.object({ code: z.string(), message: z.string() }).nullable().describe('Why it failed.'),
  created_at: z.string().nullable(),
}

export type TaskView = z.infer<z.ZodObject<typeof taskShape>>

export const taskView = ({ id, status, model, mode, output, error, created_at, ...task }: VideoTask): TaskView => ({
  task_id: id,
  status,
  model,
  mode,
  credits_used: task.credits_used,
  credits_refunded: task.credits_refunded,
  billing_status: task.billing_status ?? null,
  video_url: output?.video_url ?? null,
  error: error && { code: error.code, message: error.message },
  created_at,
})

/** The answer of a tool about one task: a sentence for people, the facts, and the video as a link. */
export function taskResult(task: VideoTask, { next, ...facts }: { next: string; [fact: string]: unknown }): CallToolResult {
  const view = taskView(task)
  const structuredContent = { ...view, next, ...facts }
  const text = { type: 'text' as const, text: JSON.stringify(structuredContent, null, 1) }
  if (view.video_url === null) return { content: [text], structuredContent }
  const link = { type: 'resource_link' as const, uri: view.video_url, name: `${view.task_id}.mp4`, mimeType: 'video/mp4' }
  return { content: [text, link], structuredContent }
}

/** What to do after a task was seen so. */
export function nextStep(task: VideoTask): string {
  if (task.status === 'completed') return 'The video is ready at video_url.'
  if (task.status === 'failed') return 'The video failed, and its credits come back. Change the request, and take a new idempotency_key.'
  if (task.billing_status === 'review')
    return 'Whether there will be a video is being checked. Look again later with get_task; make no other one.'
  return 'Call wait_for_video with this task_id.'
}

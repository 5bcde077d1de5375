import type { Api, Body } from './api'

const againAfterMsDefault = 300

/**
 * What the contract tells a client to do: after no answer, 503 or 429 it sends the identical body with the same key, until it has a task.
 * A 503 or 400 that names a task is an answer as well. Returns the id of the task.
 */
export async function generateStubbornly(
  api: Api,
  body: unknown,
  {
    idempotencyKey = crypto.randomUUID(),
    timeoutMs = 120_000,
    againAfterMs = againAfterMsDefault,
  }: { idempotencyKey?: string; timeoutMs?: number; againAfterMs?: number } = {},
): Promise<string> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const answer = await api.generate(body, { idempotencyKey, timeoutMs: 60_000 }).catch(() => undefined)
    const taskId = answer?.body.id ?? answer?.body.error?.details?.task_id
    if (taskId) return taskId
    if (answer && answer.status !== 503 && answer.status !== 429) throw new Error(`${answer.status} ${answer.text}`)
    if (Date.now() > deadline) throw new Error(`no task after ${timeoutMs} ms: ${answer?.status} ${answer?.text}`)
    await Bun.sleep(againAfterMs)
  }
}

/** Its end, whoever is down in between. */
export async function taskEnd(api: Api, id: string, timeoutMs = 120_000, againAfterMs = againAfterMsDefault): Promise<Body> {
  const deadline = Date.now() + timeoutMs
  let seen = ''
  for (;;) {
    const answer = await api.get(`/tasks/${id}`, { prefer: 'wait=3' }).catch(() => undefined)
    seen = answer?.text ?? seen
    const { status, billing_status = '' } = answer?.body ?? {}
    if ((status === 'completed' || status === 'failed') && ['settled', 'refunded'].includes(billing_status)) return answer?.body as Body
    if (Date.now() > deadline) throw new Error(`task ${id} did not end within ${timeoutMs} ms: ${seen}`)
    await Bun.sleep(againAfterMs)
  }
}

/**
 * Asks for a video until it is there: a task that failed for a fault of ours, and whose credits came back, is followed by another with a new
 * key, as the contract allows. Returns the tasks in their order; the last one is completed, or failed for what was asked.
 */
export async function buyStubbornly(
  api: Api,
  body: unknown,
  { timeoutMs, againAfterMs }: { timeoutMs: number; againAfterMs: number },
): Promise<Body[]> {
  const deadline = Date.now() + timeoutMs
  const tasks: Body[] = []
  for (;;) {
    const id = await generateStubbornly(api, body, { timeoutMs: deadline - Date.now(), againAfterMs })
    const task = await taskEnd(api, id, deadline - Date.now(), againAfterMs)
    tasks.push(task)
    if (task.error?.code !== 'generation_unavailable') return tasks
  }
}

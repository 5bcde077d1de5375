import { type Filmgate, FilmgateError, isCode, type VideoGenerationRequest, type VideoTask } from '@filmgate/client'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Session } from '../session.ts'
import type { Budget } from '../spend/budget.ts'
import { freeBudget } from '../spend/free-budget.ts'
import { keyPrefix, toolError } from '../tool-error.ts'
import { reportProgress } from './report-progress.ts'
import { type RequestArguments, requestOf, requestShape } from './request-shape.ts'
import { nextStep, taskResult, taskShape } from './task-shape.ts'

/** Clients give up on a call after a minute, and checking media may take longer: then the agent is told to call again. */
const createMsMax = 50_000

const inputSchema = z.strictObject({
  ...requestShape,
  max_credits: z.int().min(1).optional().describe('Refuse this video where it costs more.'),
  idempotency_key: z
    .string()
    .regex(/^[a-zA-Z0-9._:-]{1,150}$/)
    .describe(
      'A new one for each video that is wanted, such as paper-boat-7f3a. The same key again is the same video, never a second one.',
    ),
})
type Arguments = z.infer<typeof inputSchema>

/** Makes a video within the budget; the task is answered as soon as a provider has it. */
export function generateVideo(server: McpServer, session: Session): void {
  const about = {
    title: 'Generate a video',
    description:
      'Starts one video and spends credits for it, within the budget that the user has set. Answers with a task; wait_for_video follows it. ' +
      'Ask estimate_video first. If this call breaks, repeat it with the same arguments and idempotency_key.',
    inputSchema,
    outputSchema: { ...taskShape, next: z.string(), budget_left: z.number() },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  }
  server.registerTool('generate_video', about, async (given, extra) => {
    const progress = reportProgress(extra)
    try {
      const task = await session.inTurn(given.idempotency_key, () => generate(session, given, extra.signal))
      return taskResult(task, { next: nextStep(task), budget_left: session.budget?.left() ?? 0 })
    } catch (error) {
      return toolError(error, { creates: true })
    } finally {
      progress.stop()
    }
  })
}

async function generate(session: Session, given: Arguments, signal: AbortSignal): Promise<VideoTask> {
  const { budget, filmgate } = session
  if (!budget)
    throw new Error('This server may spend nothing: the user has to start it with FILMGATE_MCP_BUDGET set to a number of credits.')
  const { idempotency_key, max_credits, ...fields } = given
  const key = `${keyPrefix}${idempotency_key}`
  const request = requestOf(fields satisfies RequestArguments)
  const counted = budget.counts(key)
  // A key that is bound to its task already is answered with it, and charged no more.
  const bound = counted ? undefined : await filmgate.tasks.find(key, { signal })
  const sent = budget.priceOf(key)
  // That of an earlier run of this server was never of this budget.
  if (bound && sent !== undefined) budget.settle(key, bound)
  const isRetry = counted || bound !== undefined
  const price = (isRetry ? sent : undefined) ?? (await priceWithin(session, request, max_credits, signal))
  if (!isRetry) await hold(filmgate, budget, key, price)
  try {
    const task = await filmgate.create({ ...request, max_credits: price }, { idempotencyKey: key, signal, timeoutMs: createMsMax })
    if (task.id === bound?.id) budget.saw(task)
    else budget.settle(key, task)
    return task
  } catch (error) {
    // What an earlier call under this key came to is not said by the refusal of this one.
    if (!counted && error instanceof FilmgateError && !error.outcomeUnknown) budget.release(key)
    if (bound && isCode(error, 'idempotency_key_reused'))
      throw new Error(`This idempotency_key made ${bound.id} before, by another request or at another price. Read it with get_task.`)
    throw error
  }
}

/** The price of a request that one video may cost; the request carries it, so that the API holds it too. */
async function priceWithin(
  session: Session,
  request: VideoGenerationRequest,
  own: number | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { credits } = await session.filmgate.estimate(request, { signal })
  const cap = Math.min(own ?? Number.POSITIVE_INFINITY, session.videoCreditsMax ?? Number.POSITIVE_INFINITY)
  if (credits <= cap) return Math.max(1, credits)
  const by = cap === own ? 'max_credits' : 'FILMGATE_MCP_MAX_PER_VIDEO'
  throw new Error(
    `This video costs ${credits} credits, and at most ${cap} are allowed for one (${by}). ` +
      'Nothing was made. Choose a shorter or smaller video, or a cheaper model.',
  )
}

/** Before the request is sent, so that calls at once share the budget. */
async function hold(filmgate: Filmgate, budget: Budget, key: string, price: number): Promise<void> {
  if (budget.hold(key, price)) return
  await freeBudget(filmgate, budget)
  if (budget.hold(key, price)) return
  throw new Error(
    `This video costs ${price} credits, and ${budget.left()} of the budget of ${budget.credits} are left. Nothing was made. ` +
      'Choose a shorter or smaller video or a cheaper model, or ask the user to restart this server with a higher FILMGATE_MCP_BUDGET.',
  )
}

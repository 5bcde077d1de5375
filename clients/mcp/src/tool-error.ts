import { FilmgateError } from '@filmgate/client'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

const repeat = 'Call again with the same arguments.'

/** What an agent can change, by code; other messages say it themselves. */
const advice: Record<string, string> = {
  insufficient_credits: 'Ask the user to add credits, or choose a cheaper request: estimate_video tells the price.',
  budget_exceeded: 'The user has capped this key in Filmgate. Ask them to raise the budget, or choose a cheaper request.',
  unfinished_task_limit: 'Wait until one has ended (list_tasks with status processing), then call again with the same idempotency_key.',
  unknown_model: 'list_models names the models.',
  idempotency_key_reused: 'This idempotency_key made another video. Take a new one for a new video.',
  max_credits_exceeded: 'The price has changed since the estimate. Call again.',
  invalid_api_key: 'The user has to give this server a working key of Filmgate.',
  generation_unavailable: 'Nothing was charged. Take a new idempotency_key for another attempt.',
  connection_failed: repeat,
  timeout: repeat,
  rate_limited: repeat,
  service_unavailable: repeat,
  task_not_found: 'list_tasks names the tasks of this account.',
  not_cancellable: 'Read the task: it may have ended, or its provider cannot cancel.',
}

/** Before an agent's key in the API's, so that the keys of other programs are not met. */
export const keyPrefix = 'mcp.'

const again = 'Call again with the same arguments and the same idempotency_key: it never makes a second video.'

/** A refusal as the result of a tool: what happened, and what to change. */
export function toolError(error: unknown, { creates = false }: { creates?: boolean } = {}): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: errorText(error, creates) }] }
}

export function errorText(error: unknown, creates: boolean): string {
  if (!(error instanceof FilmgateError)) return error instanceof Error ? error.message : String(error)
  const { code, retryAfterSeconds } = error
  // An agent that took the prefixed key would make a second video.
  const message = error.message.replaceAll(`idempotencyKey '${keyPrefix}`, "idempotency_key '")
  const details: { issues?: { message: string }[] } = Object(error.details)
  const issues = details.issues?.map(issue => `- ${issue.message}`) ?? []
  const wait = retryAfterSeconds === undefined ? '' : `Wait ${retryAfterSeconds} s. `
  const what = creates && error.outcomeUnknown ? again : (advice[code] ?? '')
  return [`${message} (${code})`, ...issues, `${wait}${what}`.trim()].filter(Boolean).join('\n')
}

import { FilmgateError } from '@filmgate/client'
import { type ExitCode, exitCodes, Failure } from './failure'
import { plain } from './plain'
import type { Terminal } from './terminal'

/** Why a command failed: for people, and as programs get it with --json. */
export type Explained = { exit: ExitCode; message: string; hints: string[]; error: Record<string, unknown> }

const creditCodes = ['insufficient_credits', 'budget_exceeded', 'max_credits_exceeded']
const keyCodes = ['missing_api_key', 'invalid_api_key']
const unknownCodes = ['acceptance_uncertain', 'connection_failed', 'timeout']
// What the client says to programs: here a command says it.
const wordsForPrograms = / (The task \S+ goes on: wait|Whether there is a task is not known: the same|The video is there: wait).*$/

export function explain(thrown: unknown): Explained {
  if (thrown instanceof Failure) {
    const { message, exit, hints, code, facts } = thrown
    return { exit, message, hints, error: { code, message, ...facts } }
  }
  if (thrown instanceof FilmgateError) return explainFilmgateError(thrown)
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const { code } = thrown as NodeJS.ErrnoException
  return { exit: exitCodes.failed, message, hints: [], error: { code: typeof code === 'string' ? code : 'failed', message } }
}

function explainFilmgateError(error: FilmgateError): Explained {
  const { code, status, requestId, taskId, idempotencyKey, outcomeUnknown, retryAfterSeconds } = error
  const message = wordsOf(error)
  const details = error.details as Record<string, unknown> | undefined
  const facts = { status, details, request_id: requestId, task_id: taskId, retry_after_seconds: retryAfterSeconds }
  const open = outcomeUnknown && { outcome_unknown: true, idempotency_key: idempotencyKey }
  const told = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
  const hints = [...issuesOf(details), ...hintsOf(error, details ?? {}), ...(requestId ? [`Request id: ${requestId}`] : [])]
  return { exit: exitOf(error), message, hints, error: { code, message, ...told, ...open } }
}

export const wordsOf = ({ message }: FilmgateError): string => message.replace(wordsForPrograms, '').replace(/ See details\.issues\.$/, '')

function exitOf(error: FilmgateError): ExitCode {
  const { code, status, taskId, outcomeUnknown } = error
  if (outcomeUnknown) return exitCodes.unknown
  if (creditCodes.includes(code)) return exitCodes.credits
  if (keyCodes.includes(code)) return exitCodes.key
  if (code === 'invalid_argument' || code === 'invalid_configuration') return exitCodes.usage
  if (taskId !== undefined && unknownCodes.includes(code)) return exitCodes.unknown
  return status === 400 || status === 413 ? exitCodes.usage : exitCodes.failed
}

/** Every fault of a request, by its property. */
function issuesOf(details: Record<string, unknown> | undefined): string[] {
  const issues = Array.isArray(details?.issues) ? (details.issues as Record<string, unknown>[]) : []
  return issues.map(({ path, message }) => {
    const words = plain(message)
    return `- ${words.startsWith(String(path)) || !path ? words : `${plain(path)}: ${words}`}`
  })
}

type Hint = (details: Record<string, unknown>) => string[]
const signIn: Hint = () => ['Run `filmgate login`, or check FILMGATE_API_KEY. Keys are made in the console, under API keys.']
const media: Hint = ({ field, url_index: index, measured, limit }) => [
  ...(field === undefined ? [] : [`It is ${plain(field)}${index === undefined ? '' : `[${plain(index)}]`}.`]),
  ...(measured === undefined
    ? []
    : [`The file has ${plain(measured)}${limit === undefined ? '' : `, and the model takes ${plain(limit)}`}.`]),
]

const hintsByCode: Record<string, Hint> = {
  missing_api_key: signIn,
  invalid_api_key: signIn,
  insufficient_credits: ({ required_credits: price, available_credits: balance }) => [
    `It costs ${price} credits, and you have ${balance}. Buy credits in the console, under Billing.`,
  ],
  budget_exceeded: ({ budget, period, required_credits: price, left_credits: left, resets_at: resetsAt }) => [
    `The ${plain(budget)}'s budget (${plain(period)}) has ${left} credits left, and it costs ${price}.`,
    resetsAt ? `It begins anew at ${plain(resetsAt)}.` : 'Raise it in the console.',
  ],
  max_credits_exceeded: ({ price_credits: price, max_credits: cap }) => [`It costs ${price} credits now, more than ${cap}.`],
  unfinished_task_limit: () => ['Wait for a task to end, or cancel one: `filmgate tasks list --status processing`.'],
  unknown_model: () => ['`filmgate models` lists them.'],
  task_not_found: () => ['`filmgate tasks list` has the tasks of your account.'],
  connection_failed: () => ['Check --url (or FILMGATE_URL) and your network.'],
}

function hintsOf({ code, retryAfterSeconds }: FilmgateError, details: Record<string, unknown>): string[] {
  const hint = hintsByCode[code] ?? (code.startsWith('media_') ? media : undefined)
  const wait = code === 'rate_limited' && retryAfterSeconds !== undefined ? [`Try again in ${retryAfterSeconds} s.`] : []
  return [...(hint?.(details) ?? []), ...wait]
}

/** Says why a command failed, and returns its exit code. */
export function report(terminal: Terminal, thrown: unknown): ExitCode {
  const { exit, message, hints, error } = explain(thrown)
  terminal.printJson({ error })
  terminal.note(`${terminal.style('red', 'error:', 'stderr')} ${plain(message, { lines: true })}`)
  for (const hint of hints) terminal.note(plain(hint))
  return exit
}

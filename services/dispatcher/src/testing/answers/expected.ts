import type { Row } from './rows'

export const calls = ['submit', 'poll', 'result', 'look-up', 'output'] as const
export type CallName = (typeof calls)[number]

/** What an answer comes to. `accepted`: taken before under our id. `running`: an answer that says nothing of an end. */
export type Verdict =
  | 'refused'
  | 'prompt refused'
  | 'unknown'
  | 'accepted'
  | 'unanswered'
  | 'missing'
  | 'running'
  | 'failed'
  | 'prompt rejected'
  | 'again'
  | 'gone'
  | 'no video'

/** The event of an attempt at the latest, what its client reads of it, what is held of its credits, and when that ends. */
export const meanings: Record<Verdict, { event: string; client: string; held: string; ends: string }> = {
  refused: { event: 'generationRefused', client: '503 `generation_unavailable`, or the next route', held: 'refunded', ends: 'at once' },
  'prompt refused': { event: 'generationRefused', client: '400 `prompt_rejected`', held: 'refunded', ends: 'at once' },
  unknown: {
    event: 'generationUncertain',
    client: '503 `acceptance_uncertain`',
    held: 'review',
    ends: 'by a look-up or a callback, else by an operator',
  },
  accepted: { event: 'generationAccepted', client: '202', held: 'reserved', ends: 'by polls' },
  unanswered: { event: 'generationUncertain', client: '`processing`', held: 'as before', ends: 'asked again; review past the time-out' },
  missing: { event: 'generationUncertain', client: '`processing`', held: 'as before', ends: 'by proved absence; review past the time-out' },
  running: { event: 'generationUncertain', client: '`processing`', held: 'as before', ends: 'asked again; review past the time-out' },
  failed: { event: 'generationFailed', client: '`failed`, `generation_failed`', held: 'refunded', ends: 'at once' },
  'prompt rejected': { event: 'generationFailed', client: '`failed`, `prompt_rejected`', held: 'refunded', ends: 'at once' },
  again: {
    event: 'generationUncertain',
    client: '`processing`',
    held: 'reserved, then review',
    ends: 'copied, or by an operator; review within 15 minutes where its host answers',
  },
  gone: {
    event: 'generationFailed',
    client: '`failed`, `output_unavailable`',
    held: 'reserved, then review, then refunded',
    ends: 'seen again and again at fresh addresses',
  },
  'no video': { event: 'generationFailed', client: '`failed`, `output_unavailable`', held: 'refunded', ends: 'the same file read twice' },
}

/** By hand: what every provider's answers come to, but for the exceptions below. */
export const common: Record<Row, Record<CallName, Verdict>> = {
  '401': cells('refused', 'unanswered', 'again'),
  '402': cells('refused', 'unanswered', 'again'),
  '403 balance': cells('refused', 'unanswered', 'again'),
  '403 page': cells('refused', 'unanswered', 'again'),
  '404': cells('refused', 'unanswered', 'gone'),
  '408': cells('unknown', 'unanswered', 'again'),
  '409': cells('unknown', 'unanswered', 'again'),
  '422 policy': cells('prompt refused', 'unanswered', 'again'),
  '422 other': cells('refused', 'unanswered', 'again'),
  '429': cells('refused', 'unanswered', 'again'),
  '429 Retry-After': cells('refused', 'unanswered', 'again'),
  '500': cells('unknown', 'unanswered', 'again'),
  '502': cells('unknown', 'unanswered', 'again'),
  '503': cells('unknown', 'unanswered', 'again'),
  '504': cells('unknown', 'unanswered', 'again'),
  '200 HTML': cells('unknown', 'unanswered', 'no video'),
  '200 error': cells('unknown', 'unanswered', 'no video'),
  reset: cells('unknown', 'unanswered', 'again'),
  silence: cells('unknown', 'unanswered', 'again'),
  'TLS fault': cells('refused', 'unanswered', 'again'),
}

function cells(submit: Verdict, asked: Verdict, output: Verdict): Record<CallName, Verdict> {
  return { submit, poll: asked, result: asked, 'look-up': asked, output }
}

export type Exception = { fake: RegExp; call: CallName; rows: Row[]; verdict: Verdict; because: string }

/** Where a provider's own words say something else. */
export const exceptions: Exception[] = [
  {
    ...{ fake: /^google/, call: 'submit', rows: ['422 policy', '422 other'], verdict: 'unknown' },
    because: '422 is not among the statuses of its page troubleshooting; its refusals come with 400',
  },
  {
    ...{ fake: /^vidu/, call: 'submit', rows: ['422 policy', '422 other'], verdict: 'unknown' },
    because: 'its page error-code has these reasons with 400 alone',
  },
  {
    ...{ fake: /^pixverse/, call: 'submit', rows: ['404'], verdict: 'unknown' },
    because: '500008 says that data was not found, perhaps of a video that was made',
  },
  {
    ...{ fake: /^minimax, H3/, call: 'submit', rows: ['404'], verdict: 'unknown' },
    because: 'code 1000 is a fault of its own, which may follow an acceptance',
  },
  {
    ...{ fake: /^runware/, call: 'submit', rows: ['409'], verdict: 'accepted' },
    because: '`conflictTaskUUID` names our task: it was sent before and taken',
  },
  {
    ...{ fake: /^(runware|minimax|kling|pixverse)/, call: 'submit', rows: ['200 error'], verdict: 'refused' },
    because: 'its refusals come with 200 too, and the code is one by which nothing was made',
  },
  {
    ...{ fake: /^(fal|google|vidu|xai|replicate|minimax|openai-videos)/, call: 'poll', rows: ['404'], verdict: 'missing' },
    because: 'it says in its own words that it has no such task: a miss, which proves nothing by itself',
  },
  {
    ...{ fake: /^fal/, call: 'result', rows: ['422 policy'], verdict: 'prompt rejected' },
    because: 'a completed request’s result is the model’s own error: page errors',
  },
  {
    ...{ fake: /^fal/, call: 'result', rows: ['422 other'], verdict: 'failed' },
    because: 'a completed request’s result is the model’s own error: page errors',
  },
  {
    ...{ fake: /^fal/, call: 'result', rows: ['404', '200 error'], verdict: 'running' },
    because: 'a completed request without a video is no end that we know',
  },
]

export function expectedOf(fake: string, call: CallName, row: Row): Verdict {
  const own = exceptions.find(one => one.fake.test(fake) && one.call === call && one.rows.includes(row))
  return own?.verdict ?? common[row][call]
}

/** Who acts, as the gateway keeps it. */
export type Actor = { id: string; email: string }

/** Credits are whole numbers; times are RFC 3339. */
export type AccountView = {
  account_id: string
  name: string
  available_credits: number
  starter_credits: number
  owed_credits?: number
  unfinished: number
  unfinished_max: number
  created_at: string
}

export type KeyView = {
  key_id: string
  name: string
  prefix: string
  created_at: string
  created_by: string | null
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
  /** Its latest rotation. */
  rotated_at?: string | null
}

export type TaskView = {
  id: string
  status: 'processing' | 'completed' | 'failed'
  model: string
  mode: string
  credits_used: number
  credits_refunded: number
  output: null | { video_url: string }
  error: null | { code: string; message: string }
  created_at: string
  updated_at: string
  billing_status?: string
  surface: 'api' | 'web'
  prompt: string | null
  /** From 0 to 1, where the provider tells it. */
  progress: number | null
  phase: string
  poster_url: string | null
  resolution: string | null
  duration_seconds: number | null
  /** What was less than ordered: duration, resolution, audio. A gateway of the version before tells none. */
  shortfalls?: string[]
}

export type StoryView = {
  task: TaskView
  events: { at: string; kind: string; summary: string; details?: Record<string, unknown> }[]
  entries: { at: string; kind: string; credits: number; balance: 'paid' | 'starter' }[]
}

export type Page<T> = { data: T[]; next_cursor: string | null }

/** What the gateway refused, with its words for who asked. */
export type Refused = { ok: false; status: number; code: string; message: string; details?: Record<string, unknown>; retryAfter?: number }
export type Answered<T> = { ok: true; status: number; value: T } | Refused

export type Asked = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below /console. */
  path: string
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  timeoutMs?: number
}

/**
 * The gateway's door for the console (its routes: services/gateway/README.md). `ask` answers with what the gateway said, refusals too; `get`
 * throws what can't be told to a person but by the page of a fault: 404 is `not_found`, 5xx and silence are `service_unavailable`.
 */
export type Gateway = {
  ask<T>(actor: Actor, asked: Asked): Promise<Answered<T>>
  get<T>(actor: Actor, path: string, options?: Pick<Asked, 'headers' | 'signal' | 'timeoutMs'>): Promise<T>
  /** The answer as it came, for what is passed on: CSV. */
  fetch(actor: Actor, asked: Asked): Promise<Response>
}

/** Credits are negative where they were taken. A grant or a debit has a change's id in place of a task's, and no model. */
export type UsageRecordView = {
  created_at: string
  task_id: string | null
  change_id: string | null
  kind: 'reservation' | 'refund' | 'grant' | 'debit'
  model: string | null
  resolution: string | null
  billed_seconds: number
  credits: number
  balance_after: number
  surface: 'api' | 'web' | null
  paid_credits: number
  starter_credits: number
}

/** The usage of one model on one day of UTC. */
export type UsageSumView = {
  day: string
  model: string
  generations: number
  refunds: number
  billed_seconds: number
  credits_used: number
  credits_refunded: number
  credits_net: number
  /** Of the net credits those of the starter balance. */
  starter_credits_net?: number
}

/** The person who acts, as the gateway records it. */
export type Actor = { id: string; email: string }

/** Credits are whole numbers; times are RFC 3339. */
export type AccountView = {
  account_id: string
  name: string
  available_credits: number
  starter_credits: number
  owed_credits?: number
  /** Webhooks are told of a paid balance below it. An older gateway doesn't send it. */
  low_balance_credits?: number | null
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
  /** What it is bound to, if it is. An older gateway doesn't send it. */
  models?: string[] | null
  addresses?: string[] | null
}

export type WebhookEndpointView = {
  id: string
  url: string
  description: string
  events: string[]
  status: 'active' | 'paused'
  paused_reason: string | null
  created_at: string
  updated_at: string
}
/** The secret is in the answers of creation and rotation alone. */
export type WebhookSecret = WebhookEndpointView & { secret: string; former_secret_until?: string }

/** `status` is the answer's; without an answer `error` says why. */
export type WebhookAttemptView = { at: string; duration_ms: number; status: number | null; error: string | null; answer: string | null }
export type WebhookDeliveryView = {
  id: string
  event: string
  task_id: string | null
  status: 'pending' | 'delivered' | 'failed'
  attempts: WebhookAttemptView[]
  next_attempt_at: string | null
  created_at: string
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
  /** From 0 to 1, if the provider reports it. */
  progress: number | null
  phase: string
  poster_url: string | null
  resolution: string | null
  duration_seconds: number | null
  /** Properties that fell short of the order: duration, resolution, audio. An older gateway doesn't send it. */
  shortfalls?: string[]
  /** An older gateway doesn't send it. */
  tags?: Record<string, string> | null
}

export type TaskTimelineView = {
  task: TaskView
  /** What a running task waits for, and until when. An older gateway doesn't send it. */
  waiting?: { for: string; until: string | null } | null
  /** The fields of the request that the task has no place for, as they were sent. Null for the API’s tasks. */
  request?: Record<string, unknown> | null
  events: { at: string; kind: string; summary: string; details?: Record<string, unknown> }[]
  entries: { at: string; kind: string; credits: number; balance: 'paid' | 'starter' }[]
}

/** A signed PUT, and the URL that requests name the file by. */
export type OpenedUpload = { id: string; put_url: string; put_headers: Record<string, string>; url: string; expires_at: string }

export type Page<T> = { data: T[]; next_cursor: string | null }

/** A rejection by the gateway, with its message for the caller. */
export type GatewayError = {
  ok: false
  status: number
  code: string
  message: string
  details?: Record<string, unknown>
  retryAfter?: number
}
export type GatewayResult<T> = { ok: true; status: number; value: T } | GatewayError

export type GatewayRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /console. */
  path: string
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  timeoutMs?: number
}

/**
 * The gateway's internal API for the console (routes: services/gateway/README.md). `request` returns errors as results.
 * `get` throws them: 404 as `not_found`, 5xx and timeouts as `service_unavailable`.
 */
export type Gateway = {
  request<T>(actor: Actor, input: GatewayRequest): Promise<GatewayResult<T>>
  get<T>(actor: Actor, path: string, options?: Pick<GatewayRequest, 'headers' | 'signal' | 'timeoutMs'>): Promise<T>
  /** The raw response, for data that is passed through, such as CSV. */
  fetch(actor: Actor, input: GatewayRequest): Promise<Response>
}

/** Taken credits are negative. A grant or debit has a change id instead of a task id, and no model. */
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
  /** An older gateway sends neither. */
  key_id?: string | null
  tags?: Record<string, string> | null
}

/** The requests of one UTC day that asked the same and got the same status. */
export type RequestCountView = { day: string; method: string; route: string; status: number; requests: number }

/** The usage of one model on one UTC day. */
export type UsageSumView = {
  day: string
  model: string
  generations: number
  refunds: number
  billed_seconds: number
  credits_used: number
  credits_refunded: number
  credits_net: number
  /** Of the net credits, those held for tasks that have not ended. An older gateway doesn't send it. */
  credits_held?: number
  /** The part of the net credits from the starter balance. */
  starter_credits_net?: number
}

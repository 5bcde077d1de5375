/** What the operators' routes answer, as far as the pages show it. Times are RFC 3339, credits whole. */
export type Listed<T> = { data: T[]; next_cursor?: string | null }

export type AccountRow = { account_id: string; name: string; available: number; starter: number; created_at: string }
export type KeyRow = {
  id: string
  /** How it begins. */
  prefix: string
  name: string
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  rotatedAt: string | null
  createdBy: string | null
}
export type ChangeRow = {
  id: string
  kind: 'grant' | 'debit'
  balance: string
  credits: number
  reason: string
  operator: string | null
  /** `awaiting_second`: above what one operator may move, until another approves it. */
  state: 'pending' | 'applied' | 'declined' | 'awaiting_second'
  refusal: string | null
  available: number | null
  asked_at: string
}
export type AwaitedChange = Omit<ChangeRow, 'refusal' | 'available'> & { account_id: string }
export type ActRow = { at: string; act: string; subject: string | null; by: string }
export type GatewayAccount = { account: AccountRow; keys: KeyRow[]; credit_changes: ChangeRow[]; acts: ActRow[] }
export type LedgerAccount = {
  /** `owed`: what payments that went back left, repaid by the next paid grants. */
  account: { available: number; starter: number; owed: number; unfinished: number }
  open: Reservation[]
}

export type TaskRow = {
  id: string
  account_id: string
  status: string
  phase: string
  billing_status: string | null
  model: string
  credits_used: number
  credits_refunded: number
  error: string | null
  created_at: string
}
export type GatewayTask = {
  task: {
    id: string
    accountId: string
    keyId: string | null
    model: string
    mode: string
    phase: string
    billingStatus: string | null
    creditsUsed: number
    creditsRefunded: number
    videoUrl: string | null
    errorCode: string | null
    errorMessage: string | null
    createdAt: string
    updatedAt: string
    admitBy: string
    /** As it was measured; a gateway of the version before tells none. */
    delivery?: null | { duration_ms: number; width: number; height: number; has_audio: boolean; shortfalls: string[] }
  }
  events: { kind: string; at: string; details: Record<string, unknown> }[]
  acts: ActRow[]
}

export type Reservation = {
  task_id: string
  account_id: string
  surface: string
  state: string
  credits: number
  paid: number
  starter: number
  refunded: number
  reserved_at: string
  ended_at: string | null
}
export type Contradiction = {
  task_id?: string
  account_id?: string
  verdict: string
  state: string | null
  detail: string | null
  seen_at: string
  times: number
  acknowledged_at: string | null
  acknowledged_reason: string | null
  acknowledged_by: string | null
}
export type Release = { reason: string; by: string | null; released_at: string }
export type LedgerTask = {
  reservation: Reservation | null
  declined: { account_id: string; reason: string; required: number; available: number; declined_at: string } | null
  release: Release | null
  entries: { kind: string; book: string; account_id: string | null; credits: number; at: string }[]
  contradictions: Contradiction[]
}
export type ProbeTask = { verification: { state: string; object_keys: string[] | null; created_at: string; changed_at: string } }

export type Attempt = {
  id: string
  number: number
  model: string
  provider: string
  provider_model: string | null
  provider_task_id: string | null
  state: string
  code: string | null
  cause: string | null
  cost_micro_usd: number | null
  cost_basis: string | null
  created_at: string
  accepted_at: string | null
  review_since: string | null
  ended_at: string | null
}
export type ReviewDecision = { decision: string; provider_task_id: string | null; reason: string; by: string | null; decided_at: string }
export type DispatcherTask = { attempts: Attempt[]; review_decisions: ReviewDecision[]; release: Release | null }
export type ReviewRow = { task_id: string; account_id: string; provider: string; state: string; cause: string | null; review_since: string }
/** A task in review, as its client sees it. */
export type ReviewedTask = { id: string; account_id: string; model: string; credits_used: number; created_at: string }

export type AuditRun = {
  at: string
  scope: string
  findings: { check: string; detail: string }[]
  checked: { accounts: number; grants: number; reservations: number; entries: number }
}

export type Provider = {
  provider: string
  on: boolean
  key?: string
  absences?: string
  running?: number
  missing?: number
  asking?: { breaker: string; unanswered_calls: number; held_until: string | null } | null
  closing?: { reason: string; by: string | null; closed_until: string; in_force: boolean } | null
  models?: { model: string }[]
}
export type CostSums = {
  provider: string
  model: string
  attempts: number
  open: number
  completed: number
  unknown: number
  credits: number
  unknown_credits: number
  told_micro_usd: number
  listed_micro_usd: number
  lost_micro_usd: number
}
/** What a price leaves at a provider; money in whole millionths of a US dollar, null where nobody knows the cost. */
export type MarginRow = {
  model: string
  resolution: string
  provider: string
  mode: string
  audio: boolean | null
  seconds: number
  images: number
  video_seconds: number
  price_micro_usd: number
  cost_micro_usd: number | null
  margin_micro_usd: number | null
  margin_percent: number | null
  basis: string
  reason: string | null
  source: string | null
  as_of: string | null
}
export type Margins = { credit_micro_usd: number; data: MarginRow[] }

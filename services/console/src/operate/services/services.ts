/** In the order of the pipeline. */
export const serviceNames = ['gateway', 'ledger', 'media-probe', 'dispatcher'] as const
export type Service = (typeof serviceNames)[number]
export type ServiceUrls = Record<Service, string>

/** `status` is undefined where no answer came. `words` are those of the service. */
export type Refusal = { ok: false; service: Service; status: number | undefined; code: string; words: string }
export type Told<T> = { ok: true; status: number; value: T } | Refusal

export type Question = {
  method?: 'GET' | 'POST' | 'DELETE'
  /** Below /operator. */
  path: string
  body?: object
  timeoutMs?: number
}

export type Readiness = { service: Service; state: 'ready' | 'starting' | 'silent'; missing: string[] }

/** The operators' routes of the services. Nothing is ever asked twice: some of it moves money. */
export type Services = {
  ask<T>(actor: { email: string }, service: Service, question: Question): Promise<Told<T>>
  readiness(service: Service): Promise<Readiness>
}

/** Whether it may have been done all the same: no answer came, or one that says nothing of what was asked. */
export const isUnknown = ({ status, code }: Refusal): boolean =>
  status === undefined || (status >= 500 && ['', 'internal_error', 'service_unavailable'].includes(code))

/** What went wrong, as a sentence that names the service. */
export const wordsOf = ({ service, status, words }: Refusal): string =>
  status === undefined ? `The ${service} gives no answer.` : `The ${service} refused: ${words}`

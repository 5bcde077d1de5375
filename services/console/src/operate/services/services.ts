import type { Static, TSchema } from '@sinclair/typebox'

/** In the order of the pipeline. */
export const serviceNames = ['gateway', 'ledger', 'media-probe', 'dispatcher'] as const
export type Service = (typeof serviceNames)[number]
export type ServiceUrls = Record<Service, string>

/** `status` is undefined where no answer came, and below 300 where the answer has another form. `words` are those of the service. */
export type Refusal = { ok: false; service: Service; status: number | undefined; code: string; words: string }
export type Told<T> = { ok: true; status: number; value: T } | Refusal

export type Question<S extends TSchema> = {
  /** The form of its answer. */
  answer: S
  method?: 'GET' | 'POST' | 'DELETE'
  /** Below /operator. */
  path: string
  body?: object
  timeoutMs?: number
}

export type Readiness = { service: Service; state: 'ready' | 'starting' | 'silent'; missing: string[] }

/** The operators' routes of the services. Nothing is ever asked twice: some of it moves money. */
export type Services = {
  ask<S extends TSchema>(actor: { email: string }, service: Service, question: Question<S>): Promise<Told<Static<S>>>
  readiness(service: Service): Promise<Readiness>
}

/** Whether it may have been done all the same: no answer came, or one that can't be read or says nothing of what was asked. */
export const isUnknown = ({ status, code }: Refusal): boolean =>
  status === undefined || isUnreadable(status) || (status >= 500 && ['', 'internal_error', 'service_unavailable'].includes(code))

/** What went wrong, as a sentence that names the service. */
export function wordsOf({ service, status, words }: Refusal): string {
  if (status === undefined) return `The ${service} gives no answer.`
  return isUnreadable(status) ? `The ${service} answered in another form (${words}).` : `The ${service} refused: ${words}`
}

const isUnreadable = (status: number): boolean => status < 300

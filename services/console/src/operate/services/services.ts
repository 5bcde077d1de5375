import type { Static, TSchema } from '@sinclair/typebox'

/** In pipeline order. */
export const serviceNames = ['gateway', 'ledger', 'media-probe', 'dispatcher'] as const
export type Service = (typeof serviceNames)[number]
export type ServiceUrls = Record<Service, string>

/**
 * `status` is undefined where no answer came, and below 300 where the answer has another form. `words` are those of the
 * service.
 */
export type ServiceError = { ok: false; service: Service; status: number | undefined; code: string; message: string }
export type ServiceResult<T> = { ok: true; status: number; value: T } | ServiceError

export type ServiceRequest<S extends TSchema> = {
  /** The form of its answer. */
  answer: S
  method?: 'GET' | 'POST' | 'DELETE'
  /** Below /operator. */
  path: string
  body?: object
  timeoutMs?: number
}

export type Readiness = { service: Service; state: 'ready' | 'starting' | 'silent'; missing: string[] }

/** The services' operator routes. Requests are never retried, because some move money. */
export type Services = {
  ask<S extends TSchema>(actor: { email: string }, service: Service, question: ServiceRequest<S>): Promise<ServiceResult<Static<S>>>
  readiness(service: Service): Promise<Readiness>
}

/**
 * Whether it may have been done all the same: no answer came, or one that can't be read or says nothing of what was
 * asked.
 */
export const isOutcomeUnknown = ({ status, code }: ServiceError): boolean =>
  status === undefined || isUnreadable(status) || (status >= 500 && ['', 'internal_error', 'service_unavailable'].includes(code))

/** The error as a sentence that names the service. */
export function errorMessage({ service, status, message }: ServiceError): string {
  if (status === undefined) return `The ${service} does not respond.`
  return isUnreadable(status) ? `The ${service} answered in another form (${message}).` : `The ${service} refused: ${message}`
}

const isUnreadable = (status: number): boolean => status < 300

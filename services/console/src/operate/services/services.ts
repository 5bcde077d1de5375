/** In pipeline order. */
export const serviceNames = ['gateway', 'ledger', 'media-probe', 'dispatcher'] as const
export type Service = (typeof serviceNames)[number]
export type ServiceUrls = Record<Service, string>

/** `status` is undefined if there was no response. `message` is the service's. */
export type ServiceError = { ok: false; service: Service; status: number | undefined; code: string; message: string }
export type ServiceResult<T> = { ok: true; status: number; value: T } | ServiceError

export type ServiceRequest = {
  method?: 'GET' | 'POST' | 'DELETE'
  /** Below /operator. */
  path: string
  body?: object
  timeoutMs?: number
}

export type Readiness = { service: Service; state: 'ready' | 'starting' | 'silent'; missing: string[] }

/** The services' operator routes. Requests are never retried, because some move money. */
export type Services = {
  ask<T>(actor: { email: string }, service: Service, question: ServiceRequest): Promise<ServiceResult<T>>
  readiness(service: Service): Promise<Readiness>
}

/** Whether the action may have been performed: no response, or an error that doesn't say. */
export const isOutcomeUnknown = ({ status, code }: ServiceError): boolean =>
  status === undefined || (status >= 500 && ['', 'internal_error', 'service_unavailable'].includes(code))

/** The error as a sentence that names the service. */
export const errorMessage = ({ service, status, message }: ServiceError): string =>
  status === undefined ? `The ${service} does not respond.` : `The ${service} refused: ${message}`

import type { Happened } from './follow-tasks'
import { signedHeaders } from './sign'

/** What an address answered, as the service's log of deliveries has it. */
export type Answer = { duration_ms: number; status: number | null; error: string | null }

const timeoutMs = 15_000

/** Posts one event, signed. A redirect is not followed, as the service follows none. */
export async function forward(url: string, { id, body: event }: Happened, secret: string): Promise<Answer> {
  const body = JSON.stringify(event)
  const startedMs = performance.now()
  const answer = (status: number | null, error: string | null) => ({
    duration_ms: Math.round(performance.now() - startedMs),
    status,
    error,
  })
  try {
    const headers = signedHeaders({ id, body, secret, at: new Date() })
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    await response.body?.cancel()
    return answer(response.status, null)
  } catch (error) {
    const { message, cause } = error as Error
    return answer(null, (cause instanceof Error && cause.message) || message)
  }
}

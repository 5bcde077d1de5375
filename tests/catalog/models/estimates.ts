import { settings } from '../../support/settings'

export type Issue = { path: string; rule: string; message: string }
export type Estimate = {
  credits: number
  price_version: string
  breakdown: { item: string; quantity: number; unit: string; rate: number; credits: number }[]
  request: Record<string, unknown>
  within_max_credits: boolean
  sufficient_credits: boolean
  available_credits: number
}
export type EstimateAnswer = { status: number; estimate?: Estimate; error?: { code: string; details?: { issues?: Issue[] } }; text: string }

const triesMax = 5
const retryAfterMs = 1_000

/**
 * POST /video/estimate over connections that are kept: the suite asks a hundred thousand times. `text` is the body as it is sent. An
 * estimate changes nothing, so where a busy machine gave no answer, or 503, it is asked again.
 */
export function createEstimator(apiKey: string): (text: string) => Promise<EstimateAnswer> {
  const url = `${settings.url}/video/estimate`
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }

  async function ask(body: string): Promise<EstimateAnswer> {
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) })
    const text = await response.text()
    const answer = JSON.parse(text)
    return response.status === 200 ? { status: 200, estimate: answer, text } : { status: response.status, error: answer.error, text }
  }

  return async body => {
    for (let tries = 1; ; tries++) {
      const answer = await ask(body).catch((error: unknown) => ({ status: 0, text: String(error) }))
      if ((answer.status !== 0 && answer.status !== 503) || tries === triesMax) return answer
      await Bun.sleep(retryAfterMs)
    }
  }
}

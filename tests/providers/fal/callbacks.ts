import { callbackAddress } from '../../support/callback-address'
import { openAccount } from '../../support/client/account'
import { ownWords } from '../../support/client/request'
import { audit, operate } from '../../support/operator/operator'
import { settings } from '../../support/settings'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'

type Attempt = { id: string; provider: string; state: string; provider_task_id: string | null }

/** So long after its submit fal finishes and calls back: the answer was lost before. */
const finishesMs = 1_500

/**
 * Answers of fal's that are lost, through the whole pipeline: what fal calls back with its signature ends as a video, paid once; what is not signed by
 * fal, or too late, leaves the order where it is, for an operator.
 */
export async function proveCallbacks(report: Report): Promise<void> {
  const hinted = await Promise.all((['none', 'forged', 'stale'] as const).map(is => hint(report, is)))
  // What these would have moved is moved by the time that the others have ended.
  await Promise.all([proveHealed(report), proveReplayed(report)])
  for (const { proof, taskId } of hinted) await proveUntouched(report, proof, taskId)
  const findings = await audit()
  report.check('the books are whole', findings.length === 0, JSON.stringify(findings))
}

/** A request whose answer fal's place cuts off, and what the pipeline knows of it then. */
async function loseAnswer(report: Report, name: string, ...behaviours: Behaviour[]) {
  const { api } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'accept_then_drop' }, { name: 'slow', delay_ms: finishesMs }, { name: 'instant' }, ...behaviours])
  const post = await api.generate({ model: 'delta-3.0', duration: 5, resolution: '720p', generate_audio: false, prompt })
  const taskId: string = post.body.error?.details?.task_id ?? ''
  report.check(`${name}: the client is told that it isn’t known`, post.status === 503 && taskId !== '', `${post.status} ${post.text}`)
  return { api, prompt, taskId, attempt: await attemptOf(taskId) }
}

async function attemptOf(taskId: string): Promise<Attempt | undefined> {
  const { attempts } = await operate<{ attempts: Attempt[] }>('dispatcher', 'GET', `/tasks/${taskId}`)
  return attempts.length === 1 ? attempts[0] : undefined
}

async function proveHealed(report: Report): Promise<void> {
  const name = 'a signed callback'
  const { api, prompt, taskId } = await loseAnswer(report, name)
  const task = await api.taskOnce(taskId)
  report.check(`${name} makes of a lost answer a video`, task.status === 'completed', JSON.stringify(task))
  report.check(`${name}: it was bought once`, (await simulator.submitsWith(prompt)).length === 1)
}

/** An order whose callback proves nothing, once that callback has come. */
async function hint(report: Report, is: 'none' | 'forged' | 'stale') {
  const proof = { none: 'unsigned', forged: 'forged', stale: 'stale' }[is]
  const before = await callbacksCounted(proof)
  const { taskId } = await loseAnswer(report, proof, { name: 'callback_signature', is })
  await until(`a callback that is ${proof} to be counted`, async () => (await callbacksCounted(proof)) > before)
  return { proof, taskId }
}

/** A callback that fal made and signed for another model's request, sent to this order's address. */
async function proveReplayed(report: Report): Promise<void> {
  const calls: { headers: Headers; body: string }[] = []
  const listener = Bun.serve({
    port: 0,
    async fetch(request) {
      calls.push({ headers: request.headers, body: await request.text() })
      return new Response(null, { status: 204 })
    },
  })
  const { taskId, attempt } = await loseAnswer(report, 'replayed', { name: 'no_callback' })
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const webhook = encodeURIComponent(`http://127.0.0.1:${listener.port}/`)
  await fetch(`${settings.simulatorUrl}/fal/fal-ai/veo3.1/fast?fal_webhook=${webhook}`, {
    method: 'POST',
    headers: { authorization: `Key ${settings.simulatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt }),
  })
  const call = await until('fal’s callback', async () => calls[0])
  const before = await callbacksCounted('verified')
  const headers = new Headers([...call.headers].filter(([name]) => name.startsWith('x-fal-') || name === 'content-type'))
  const answer = await fetch(callbackAddress('fal', attempt?.id), { method: 'POST', headers, body: call.body })
  report.check('another request’s callback is taken as any other', answer.status === 204, String(answer.status))
  await until('it to be counted', async () => (await callbacksCounted('verified')) > before)
  await until('fal to be asked for its id', async () => (await identified('unknown')) > 0)
  await proveUntouched(report, 'replayed', taskId)
  await listener.stop()
}

async function proveUntouched(report: Report, name: string, taskId: string): Promise<void> {
  const { state, provider_task_id: id } = (await attemptOf(taskId)) ?? {}
  report.check(`what is ${name} moves nothing`, state === 'unknown' && id === null, `${state} ${id}`)
  await operate('dispatcher', 'POST', `/reviews/${taskId}/refund`, { reason: 'the end of a test' })
}

const countOf = (metrics: string, name: string, label: string): number =>
  [...metrics.matchAll(new RegExp(`^${name}(?:_total)?\\{[^}]*"${label}"[^}]*\\} (\\d+)`, 'gm'))].reduce((sum, [, n]) => sum + Number(n), 0)

const metricsAt = async (url: string) => (await fetch(url)).text()
const callbacksCounted = async (proof: string) => countOf(await metricsAt(settings.gatewayMetricsUrl), 'provider_callbacks', proof)
const identified = async (result: string) =>
  countOf(await metricsAt(`${settings.serviceUrls.dispatcher}/metrics`), 'provider_callbacks_identified', result)

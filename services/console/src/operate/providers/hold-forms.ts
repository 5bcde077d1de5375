import { type Html, html } from '@filmgate/kit/http/html'
import { hasRole } from '@filmgate/kit/operator/needs-role'
import type { Hold, Provider } from '@filmgate/proto/operator/provider'
import { time } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import { tag } from '../layout/parts'

const causeText: Record<string, string> = {
  paused: 'paused',
  unanswered: 'no certain answers to new orders',
  key_refused: 'API key refused',
  no_balance: 'no balance',
}

/** What keeps new orders from a provider, a line each. */
export const holdList = (holds: Hold[] = []) =>
  holds.length === 0 ? tag('ready') : html`${holds.map(hold => html`<div>${tag('held')} ${holdLine(hold)}</div>`)}`

export const holdLine = ({ model, cause, reason, by, started_at: startedAt, probe_at: probeAt }: Hold) =>
  html`${causeText[cause] ?? cause}${model !== null && html` (${model})`} since ${time(startedAt)}${by !== null && html` by ${by}`}: ${reason}${
    probeAt !== null && html` (next try from ${time(probeAt)})`
  }`

/** A form per active provider to pause new orders, and one per scope that is held to resume them. */
export function holdForms(operator: Operator, providers: Provider[], last: ActionRow | undefined): Html | false {
  const on = providers.filter(provider => provider.on)
  if (on.length === 0 || !hasRole(operator.role, 'support')) return false
  return html`<h2>New orders</h2>
<p>A paused provider gets no new orders until somebody resumes it. The orders use the next route, or are refused before credits are reserved. Accepted tasks continue.</p>
${on.map(one => [pauseForm(operator, one, last), ...scopesOf(one).map(model => resumeForm(operator, one.provider, model, last))])}`
}

const scopesOf = ({ holds = [] }: Provider): (string | null)[] => [...new Set(holds.map(({ model }) => model))]

function pauseForm(operator: Operator, { provider, models = [] }: Provider, last: ActionRow | undefined) {
  const id = `provider_paused-${provider}-model`
  const isRefused = last?.action === 'provider_paused' && last.outcome !== 'done' && last.subject === provider
  const chosen = isRefused ? last.details.model : undefined
  const options = models.map(({ model }) => html`<option${model === chosen && html` selected`}>${model}</option>`)
  return actionForm(operator, {
    action: 'provider_paused',
    key: provider,
    path: `/operate/providers/${encodeURIComponent(provider)}/pause`,
    title: `Pause ${provider}…`,
    button: 'Pause new orders',
    description: 'All dispatchers stop sending new orders within two seconds.',
    confirmation: `${provider}, or only the model chosen here, gets no new orders.`,
    fields: html`<label for="${id}">Model</label>
<select id="${id}" name="model"><option value="">All models</option>${options}</select>`,
    last,
  })
}

function resumeForm(operator: Operator, provider: string, model: string | null, last: ActionRow | undefined) {
  const name = model === null ? provider : `${model} at ${provider}`
  return actionForm(operator, {
    action: 'provider_resumed',
    key: `${provider} ${model ?? ''}`.trim(),
    path: `/operate/providers/${encodeURIComponent(provider)}/resume`,
    title: `Resume ${name}…`,
    button: 'Resume new orders',
    description:
      'This ends every hold listed for it, whether an operator or the dispatcher started it. If the cause is still there, the dispatcher holds new orders again.',
    confirmation: `${name} gets new orders again.`,
    fields: html`<input type="hidden" name="model" value="${model ?? ''}">`,
    last,
  })
}

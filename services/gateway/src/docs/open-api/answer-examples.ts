import { writeCsv } from '@filmgate/kit/csv/write-csv'
import type { Catalog } from '../../catalog/catalog-table'
import type { CompiledModel } from '../../catalog/compile-card'
import { reasons } from '../../errors'
import { modelView } from '../../models/model-view'
import { dayAndModel } from '../../usage/dimensions'
import { recordCells, recordColumns, sumColumns } from '../../usage/usage-view'
import { keyIdExample, taskIdExample, uploadIdExample } from './error-examples'
import { exampleOf } from './example-of'
import { openAiExamples } from './openai-examples'

const createdAt = '2026-11-22T09:30:00.000Z'
const laterAt = '2026-11-22T09:31:12.000Z'
const videoUrl = 'https://videos.example.com/outputs/06a7xk2m9rtw3yqg5hbn8cdz4e.mp4'

const upload = { id: uploadIdExample, expires_at: '2026-11-23T09:30:00.000Z' }
const uploadExamples = {
  openedUpload: {
    ...upload,
    put_url: `https://store.example.com/uploads/acc_1/${uploadIdExample}.png?X-Amz-Signature=46e8d550`,
    put_headers: { 'content-type': 'image/png' },
    url: `https://uploads.filmgate.internal/acc_1/${uploadIdExample}.png`,
  },
  upload: { ...upload, status: 'accepted' },
}

/** What each route answers with, priced and shown by the catalog in force. */
export function answerExamples(catalog: Catalog) {
  const [model] = catalog.models.values()
  const [mode] = model?.card.modes ?? []
  if (!model || !mode) throw new Error('a catalog without a model')
  const checked = model.check(exampleOf(model.card, mode))
  if (!checked.ok) throw new Error(`the example of ${model.id} is refused`)
  const { credits, priceVersion, breakdown, billedSeconds } = model.price(checked.request)
  const task = {
    id: taskIdExample,
    status: 'processing',
    model: model.id,
    mode: mode.name,
    credits_used: credits,
    credits_refunded: 0,
    output: null,
    error: null,
    ...{ created_at: createdAt, updated_at: createdAt },
    billing_status: 'reserved',
  }
  const completed = { ...task, status: 'completed', output: { video_url: videoUrl }, updated_at: laterAt, billing_status: 'settled' }
  const cancelled = cancelledOf(task)
  const record = {
    created_at: createdAt,
    task_id: taskIdExample,
    change_id: null,
    kind: 'reservation',
    model: model.id,
    mode: mode.name,
    resolution: checked.request.resolution,
    billed_seconds: billedSeconds,
    credits: -credits,
    balance_after: 10_000 - credits,
    price_version: priceVersion,
    breakdown,
    surface: 'api',
    key_id: keyIdExample,
    tags: { project: 'spring', shot: '12' },
  }
  const day = dayExample({ model: model.id, seconds: billedSeconds, credits })
  return {
    task,
    completed,
    events: eventsExample(credits),
    cancelled,
    tasks: { object: 'list', data: [completed], has_more: false, next_cursor: null },
    balance: { available_credits: 10_000 - credits, balance_type: 'paid' },
    apiKey: apiKeyExample(model.id, credits),
    estimate: {
      credits,
      price_version: priceVersion,
      breakdown,
      request: checked.request,
      available: model.available,
      within_max_credits: true,
      sufficient_credits: true,
      available_credits: 10_000,
    },
    models: modelsExample(catalog, model),
    usage: { object: 'list', data: [record], has_more: false, next_cursor: null },
    usageCsv: writeCsv(recordColumns, [recordCells(record)]),
    summary: { object: 'list', from: '2026-10-23T09:30:00.000Z', to: '2026-11-22T09:30:00.000Z', data: [day] },
    summaryCsv: writeCsv(sumColumns(dayAndModel), [day]),
    ...uploadExamples,
    ...openAiExamples(model, checked.request, credits),
  }
}

const dayExample = ({ model, seconds, credits }: { model: string; seconds: number; credits: number }) => ({
  day: '2026-11-22',
  model,
  generations: 1,
  refunds: 0,
  billed_seconds: seconds,
  credits_used: credits,
  credits_refunded: 0,
  credits_net: credits,
})

const apiKeyExample = (model: string, credits: number) => ({
  key_id: keyIdExample,
  prefix: `sk_live_${keyIdExample}`,
  name: 'Website',
  created_at: createdAt,
  expires_at: null,
  limits: { requests_per_minute: 30, unfinished_tasks: 3, models: [model], addresses: ['203.0.113.0/24'] },
  spend: { today_credits: credits, month_credits: credits },
  budgets: [
    {
      ...{ budget: 'key', period: 'month', max_credits: 5_000, spent_credits: credits, left_credits: 5_000 - credits },
      resets_at: '2026-12-01T00:00:00.000Z',
    },
  ],
})

const eventsExample = (credits: number) => ({
  object: 'list',
  data: [
    { id: '1', at: createdAt, type: 'queued', credits_used: credits },
    { id: '2', at: createdAt, type: 'accepted' },
    { id: '3', at: '2026-11-22T09:30:21.000Z', type: 'running', percent: 40 },
    { id: '4', at: '2026-11-22T09:31:04.000Z', type: 'copying' },
    { id: '5', at: laterAt, type: 'completed', credits_used: credits, credits_refunded: 0, video_url: videoUrl },
  ],
})

function cancelledOf<T extends { credits_used: number }>(task: T) {
  const error = { code: 'cancelled', message: reasons.cancelled[1] }
  return { ...task, status: 'failed', credits_refunded: task.credits_used, error, updated_at: laterAt, billing_status: 'refunded' }
}

const modelsExample = ({ version, priceVersion, defaultModel }: Catalog, { id, card, available }: CompiledModel) => ({
  object: 'list',
  version,
  price_version: priceVersion,
  data: [modelView(card, id === defaultModel, available)],
})

export type AnswerExamples = ReturnType<typeof answerExamples>

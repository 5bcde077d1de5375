import { type Reason, reasons } from '../../errors'
import { detailsOf } from './error-details'

export const taskIdExample = 'vt_06a7xk2m9rtw3yqg5hbn8cdz4e'
export const keyIdExample = 'aB3dE5fG7hJ9'
export const uploadIdExample = '3UxjAsxuQXGryUVnGIOZjn'

const issue = {
  path: 'duration',
  rule: 'maximum',
  message: 'duration must be from 4 to 15, and is 60',
}
const facts: Record<string, unknown> = {
  issues: [issue],
  task_id: taskIdExample,
  reason: 'provider_cannot',
  url_index: 0,
  field: 'reference_video_urls',
  measured: '16.02 s',
  limit: '2–15 s',
  price_credits: 325,
  max_credits: 100,
  price_version: '2026-11',
  required_credits: 325,
  available_credits: 40,
  budget: 'key',
  period: 'month',
  left_credits: 120,
  resets_at: '2026-11-30T23:00:00.000Z',
  unfinished: [
    { task_id: taskIdExample, billing_status: 'review', until: '2026-11-25T15:04:05.000Z' },
    { task_id: 'vt_06a7xk2m9rtw3yqg5hbn8cdz4f', billing_status: 'reserved' },
    { task_id: 'vt_06a7xk2m9rtw3yqg5hbn8cdz4g', billing_status: 'reserved' },
  ],
}
const issues: Partial<Record<Reason, typeof issue>> = {
  unsupported_field: { path: 'seed', rule: 'unsupported_field', message: 'alpha-h3 does not take seed' },
  unknown_model: { path: 'model', rule: 'enum', message: 'there is no model alpha-h4; did you mean alpha-h3?' },
}
const sayMore = (code: Reason): boolean => code.startsWith('media_') || code === 'unfinished_task_limit'

/** An error with this code as a client meets it. */
export function errorExample(code: Reason) {
  const { always = [], sometimes = [] } = detailsOf[code] ?? {}
  const names = [...always, ...(sayMore(code) ? sometimes : [])]
  const own = issues[code]
  const details = Object.fromEntries(names.map(name => [name, name === 'issues' && own ? [own] : facts[name]]))
  return { error: { code, message: reasons[code][1], ...(names.length > 0 && { details }) } }
}

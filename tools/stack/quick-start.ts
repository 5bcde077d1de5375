import type { NewAccount } from '../ops/account-create'
import { apiUrl } from './first-account'
import type { Instance } from './instance'

/** What a newcomer pastes next. */
export function quickStart(instance: Instance, account: NewAccount): string {
  const url = apiUrl(instance)
  return `
Filmgate is at ${url}; its settings and an API key are in ${instance.envFile}

  curl -sS ${url}/video/generations \\
    -H 'Authorization: Bearer ${account.api_key}' \\
    -H 'Content-Type: application/json' \\
    -H "Idempotency-Key: first-$(date +%s)" \\
    -d '{"model":"alpha-h3","prompt":"A paper boat on a rainy street","duration":5,"resolution":"768p","aspect_ratio":"16:9"}'

It answers 202 with an id. Ask until it is completed, then open output.video_url:

  curl -sS ${url}/tasks/ID -H 'Authorization: Bearer ${account.api_key}'

Ctrl-C stops everything and keeps the data.
`
}

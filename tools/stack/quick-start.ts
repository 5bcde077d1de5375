import type { NewAccount } from '../ops/account-create'
import { apiUrl, firstAccount } from './first-account'
import { commandFor, type Instance } from './instance'
import type { RaiseOptions } from './raise'

/** Once everything is up: an account where the services run, and what a newcomer pastes next. */
export const welcome =
  (instance: Instance, only: RaiseOptions['only']): NonNullable<RaiseOptions['welcome']> =>
  async ({ supervisor, report, elapsed }) => {
    const account = only === 'all' ? await firstAccount(instance, supervisor.addresses) : undefined
    report(`ready after ${elapsed()}`)
    if (account) console.log(quickStart(instance, account))
  }

function quickStart(instance: Instance, account: NewAccount): string {
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

Ctrl-C, or \`${commandFor(instance, 'bun run stack down')}\` where it runs in the background, stops everything and keeps the data.
`
}

import type { NewAccount } from '../ops/account/create'
import { type Instance, newcomerEmail } from './instance'
import { consoleUrl } from './services'

/** Who the newcomer of a local stack is. */
const newcomer = { email: newcomerEmail, name: 'Developer', account_name: 'Quick start' }

/** A link that signs the newcomer in as the owner of the first account. */
export async function signInLink(instance: Instance, { account_id }: NewAccount): Promise<string> {
  const origin = consoleUrl(instance)
  const answer = await fetch(`${origin}/sign-in/links`, {
    method: 'POST',
    headers: { origin, authorization: `Bearer ${instance.consoleToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...newcomer, account_id }),
    signal: AbortSignal.timeout(10_000),
  })
  if (!answer.ok) throw new Error(`the console made no sign-in link: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { url: string }).url
}

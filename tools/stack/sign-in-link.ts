import type { NewAccount } from '@filmgate/proto/operator/account'
import { type Instance, newcomerEmail } from './instance'
import { consoleUrl } from './services'

/** Who the newcomer of a local stack is. */
const newcomer = { email: newcomerEmail, name: 'Developer', account_name: 'Quick start' }

/** A link that signs the newcomer in as the owner of the first account. */
export const signInLink = (instance: Instance, { account_id }: NewAccount): Promise<string> =>
  askSignInLink(consoleUrl(instance), instance.consoleToken, { ...newcomer, account_id })

type LinkTerms = { email: string; name: string; account_id: string; account_name: string }

/** A link, good once, that signs somebody in at a console in development as the owner of an account that is at the gateway. */
export async function askSignInLink(origin: string, consoleToken: string, terms: LinkTerms): Promise<string> {
  const answer = await fetch(`${origin}/sign-in/links`, {
    method: 'POST',
    headers: { origin, authorization: `Bearer ${consoleToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(terms),
    signal: AbortSignal.timeout(10_000),
  })
  if (!answer.ok) throw new Error(`the console made no sign-in link: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { url: string }).url
}

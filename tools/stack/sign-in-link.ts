import { localUserEmail } from './instance'

/** The user of the quick start. */
const localUser = { email: localUserEmail, name: 'Developer', account_name: 'Quick start' }

/** A link that signs the local user in as the owner of the first account. */
export const signInLink = ({ url, token, accountId }: { url: string; token: string; accountId: string }): Promise<string> =>
  requestSignInLink(url, token, { ...localUser, account_id: accountId })

type SignInLinkInput = { email: string; name: string; account_id: string; account_name: string }

/** Requests a one-time sign-in link from a console in development, for the owner of a gateway account. */
export async function requestSignInLink(origin: string, consoleToken: string, input: SignInLinkInput): Promise<string> {
  const response = await fetch(`${origin}/sign-in/links`, {
    method: 'POST',
    headers: { origin, authorization: `Bearer ${consoleToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`the console made no sign-in link: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { url: string }).url
}

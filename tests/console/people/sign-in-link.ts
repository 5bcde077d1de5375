import { requestSignInLink } from '@filmgate/tools/stack/sign-in-link'
import { settings } from '../../support/settings'
import { openWire, type Wire } from './wire'

type OwnerTerms = { accountId: string; email: string; name?: string; accountName?: string; base?: string }

/** A link that makes somebody the owner of an account that is at the gateway already, and signs them in. */
export const ownerLink = ({
  accountId,
  email,
  name = 'Ada',
  accountName = 'Test',
  base = settings.consoleUrl,
}: OwnerTerms): Promise<string> =>
  requestSignInLink(base, settings.consoleToken, { email, name, account_id: accountId, account_name: accountName })

/** Somebody who has followed such a link. */
export async function signInByLink(terms: OwnerTerms): Promise<Wire> {
  const wire = openWire({ base: terms.base })
  const { status, text } = await wire.get(await ownerLink(terms))
  if (status !== 303) throw new Error(`the sign-in link answered ${status}: ${text}`)
  return wire
}

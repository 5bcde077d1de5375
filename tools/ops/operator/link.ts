import { localUserEmail } from '../../stack/instance'
import { signInLink } from '../../stack/sign-in-link'
import { OpsFault } from '../fault'
import type { LocalConsole } from '../settings'

/** A link that signs the local user in to the console of a running stack, and whose it is. */
export async function operatorLink({ url, accountId, token }: LocalConsole) {
  const link = await signInLink({ url, token, accountId }).catch((error: Error) => {
    throw new OpsFault(`There is no link: ${error.message}. \`bun run stack status\` shows whether the console runs.`)
  })
  return { person: localUserEmail, account_id: accountId, link, works: 'once, for ten minutes' }
}

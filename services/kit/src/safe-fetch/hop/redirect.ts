import { Failure } from '../../failure'
import { checkParsed, type Target } from '../check-url'
import type { FetchPolicy, FetchReason } from '../fetch-policy'
import type { AnswerHead } from './answer-head'

const redirectStatuses = [301, 302, 303, 307, 308]
/** Signed URLs with a session's token are longer than what a client may send. */
const redirectCharactersMax = 8_192

/** Where an answer leads on, as browsers see it: one place, however often it is named; nothing names none. */
export function locationOf({ status, fields }: AnswerHead): string | undefined {
  const [location, ...others] = new Set(fields.get('location')?.filter(value => value !== ''))
  return redirectStatuses.includes(status) && others.length === 0 ? location : undefined
}

/**
 * Reads a Location as browsers do (WHATWG URL), and judges what came of it: that is what is asked for next. Each byte beyond ASCII is
 * percent-encoded as it came, and a fragment is dropped. Throws `redirect_forbidden`, or `address_forbidden` for a private address.
 */
export function checkRedirect(location: string, base: URL, policy: FetchPolicy): Target {
  const url = URL.parse(location.replace(/[\u0080-\u00ff]/g, percentEncoded), base.href)
  if (!url) throw refused('no browser can read')
  url.hash = ''
  if (url.href.length > redirectCharactersMax) throw refused(`has more than ${redirectCharactersMax} characters`)
  try {
    return checkParsed(url, policy)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { words = '' }: { words?: string } = error.options.details ?? {}
    if (error.reason === 'url_forbidden') throw refused(words)
    throw new Failure<FetchReason>('address_forbidden', {
      details: { words: `a redirect to ${words}` },
      internal: `a redirect to ${words}`,
    })
  }
}

const percentEncoded = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`

/** `words` may be told to whoever sent the first URL: they say nothing but what keeps us from following. */
function refused(words: string): Failure<FetchReason> {
  const found = `a redirect to a URL that ${words}`
  return new Failure<FetchReason>('redirect_forbidden', { details: { words: found }, internal: found })
}

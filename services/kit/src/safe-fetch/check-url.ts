import { Failure } from '../failure'
import { parseAddress } from './address'
import type { FetchPolicy, FetchReason, TrustedOrigin } from './fetch-policy'
import { isPublicAddress } from './public-address'

/** Where one hop goes. `address` is set when the host is an address and not a name. */
export type Target = { url: URL; host: string; port: number; address: string | undefined; trusted: TrustedOrigin | undefined }

const urlCharactersMax = 2048

/** `https://`, a plain host, a port, then a path or nothing. A client's URL parser and ours can't disagree about such a text. */
const plainUrl = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?(?:\/[^\\#]*)?$/i

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Left of what can be registered, hosts have the underscores of their buckets and users. */
const innerLabel = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** Names that mean something only inside a network (RFC 6761, 6762, 7686, 8375, 9476; ICANN's "internal"; habits of clusters). */
export const privateSuffixes =
  'localhost local internal intranet private corp home lan localdomain svc arpa test invalid onion alt consul'.split(' ')

/** Reads a URL that somebody sent. Throws `url_forbidden` or, for a private address, `address_forbidden`. */
export function checkUrl(text: string, policy: FetchPolicy): Target {
  if (text.length > urlCharactersMax) throw refused(`has more than ${urlCharactersMax} characters`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: parsers drop them silently, so they are looked for
  if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff]/.test(text)) throw refused('has white space or control characters')
  const match = plainUrl.exec(text)
  const url = URL.parse(text)
  if (!match) throw refused(faultOf(text))
  if (!url) throw refused('has no valid host name')
  const target = checkParsed(url, policy)
  const host = (match[1] ?? '').toLowerCase()
  // Every parser reads IPv4 from a name whose last label is a number, in ever other ways unless it is four decimal parts.
  if (!target.trusted && !host.startsWith('[') && url.hostname !== host)
    throw refused(target.address ? 'spells an address in another way than four decimal parts' : 'has no valid host name')
  return target
}

/** Judges a URL by what the parser made of it, which is what is asked for afterwards. Throws as `checkUrl` does. */
export function checkParsed(url: URL, policy: FetchPolicy): Target {
  const trusted = policy.trustedOrigins.find(({ origin }) => origin === url.origin)
  const port = Number(url.port || (url.protocol === 'http:' ? 80 : 443))
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (trusted) return { url, host, port, address: undefined, trusted }
  if (url.protocol !== 'https:') throw refused('is not https')
  if (url.username !== '' || url.password !== '') throw refused('has a user or a password')
  if (port !== 443) throw refused('names another port than 443')
  if (parseAddress(host)) return { url, host, port, address: publicAddress(host, policy), trusted }
  checkName(host)
  return { url, host, port, address: undefined, trusted }
}

function checkName(host: string): void {
  const labels = host.split('.')
  if (host.length > 253 || !labels.every((part, index) => (index < labels.length - 2 ? innerLabel : label).test(part)))
    throw refused('has no valid host name')
  if (labels.length < 2 || privateSuffixes.includes(labels.at(-1) ?? '')) throw forbidden('a private name')
}

function publicAddress(address: string, policy: FetchPolicy): string {
  if (!isPublicAddress(address, policy.forbiddenRanges)) throw forbidden('not a public address')
  return address
}

/** What most likely keeps a text from being a plain URL. */
function faultOf(text: string): string {
  if (!/^https?:\/\//i.test(text)) return 'does not start with https://'
  if (text.includes('\\')) return 'has a backslash'
  if (text.includes('#')) return 'has a fragment'
  if (/^[^/]*\/\/[^/?]*@/.test(text)) return 'has a user or a password'
  return 'has no plain host, port and path'
}

/** `words` may be told to whoever sent the URL: they say nothing but what is in it. */
const refused = (words: string) => new Failure<FetchReason>('url_forbidden', { details: { words }, internal: `the URL ${words}` })
const forbidden = (words: string) => new Failure<FetchReason>('address_forbidden', { details: { words }, internal: words })

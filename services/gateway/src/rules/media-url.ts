import type { Field } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { show } from '../issues/wording'

const scheme = '[Hh][Tt][Tt][Pp][Ss]://'
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const host = `(?:\\[[0-9A-Fa-f:.]+\\]|${label}(?:\\.${label})+)`
const path = "(?:/[A-Za-z0-9._~:/?@!$&'()*+,;=%\\[\\]-]*)?"

/**
 * A URL that media may be fetched from, as far as the text alone tells: https, a host with a dot or an IPv6 address, port 443,
 * the characters of RFC 3986, no userinfo, no fragment. Whether the host is public, media-probe checks. No look-ahead: clients compile
 * schemas with engines that have none.
 */
export function mediaUrlPattern({ privateOrigins }: Pick<Field, 'privateOrigins'>): string {
  const others = privateOrigins.map(origin => `|${origin.replace(/[.\\[\]]/g, '\\$&')}`)
  return `^(?:${scheme}${host}(?::443)?${others.join('')})${path}$`
}

const wholeHost = new RegExp(`^${host}$`)

/** What keeps a text that doesn't match the pattern from being such a URL, as the end of a sentence. */
export function mediaUrlFault(text: string): string {
  if (!/^https:\/\//i.test(text)) return `must be an https:// URL, and is ${show(text)}`
  const rest = text.slice('https://'.length)
  const odd = /[^A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]/u.exec(text)
  if (odd) return `must be percent-encoded: it has ${show(odd[0])} (${codePointOf(odd[0])}) at character ${odd.index + 1}`
  if (text.includes('#')) return `must have no fragment, and has ${show(text.slice(text.indexOf('#')))}`
  const [authority = ''] = rest.split(/[/?]/)
  if (authority.includes('@')) return 'must have no user and no password before its host'
  const [, hostName = '', port] = /^(\[[^\]]*\]?|[^:]*)(?::(.*))?$/.exec(authority) ?? ['', authority]
  if (port !== undefined && port !== '443') return `must be on port 443, and names port ${show(port)}`
  if (!wholeHost.test(hostName)) return `must name a public host, as in media.example.com, and names ${show(hostName)}`
  return rest[authority.length] === '?' ? 'must have a path before its query' : 'must have no brackets outside its host'
}

const codePointOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

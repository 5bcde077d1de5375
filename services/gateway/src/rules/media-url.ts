import { Failure } from '@filmgate/kit/failure'
import { checkUrl } from '@filmgate/kit/safe-fetch/check-url'
import type { FetchPolicy } from '@filmgate/kit/safe-fetch/fetch-policy'
import { namesUpload, uploadsHost } from '@filmgate/kit/upload-url'
import type { Field } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { show } from '../issues/wording'
import { privateHost } from './private-host'

type Origins = Pick<Field, 'privateOrigins'>

const scheme = '[Hh][Tt][Tt][Pp][Ss]://'
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const innerLabel = label.replaceAll('0-9', '0-9_')
/** A last label that begins with a digit makes parsers read an address. */
const topLabel = label.replace('[A-Za-z0-9]', '[A-Za-z]')
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const group = '[0-9A-Fa-f]{1,4}'
const firstGroup = '[23][0-9A-Fa-f]{3}'
/** All of 2000::/3: eight groups, or `::` behind one to seven of them. */
const six = [
  `${firstGroup}(?::${group}){7}`,
  ...Array.from(
    { length: 7 },
    (_, more) => `${firstGroup}(?::${group}){${more}}::${more < 6 ? `(?:${group}(?::${group}){0,${5 - more}})?` : ''}`,
  ),
]
const host = `(?:(?:${innerLabel}\\.)*${label}\\.${topLabel}|${octet}(?:\\.${octet}){3}|\\[(?:${six.join('|')})\\])`
const path = "(?:/[A-Za-z0-9._~:/?@!$&'()*+,;=%\\[\\]-]*)?"

/**
 * A URL that media may be fetched from, as far as its form goes: https, a host with a dot or an address, port 443, the characters of
 * RFC 3986, no userinfo, no fragment. No look-ahead: clients compile schemas with engines that have none.
 */
export function mediaUrlPattern({ privateOrigins }: Origins): string {
  return `^(?:${[`${scheme}${host}(?::443)?`, ...privateOrigins.map(escaped)].join('|')})${path}$`
}

/** What matches this is private, although it has the form: JSON Schema's `not`. Uploads and a developer's own origins are let in. */
export function privateUrlSchema({ privateOrigins }: Origins): { pattern: string; not: { pattern: string } } {
  const exempt = [`https://${uploadsHost}`, ...privateOrigins].map(escaped).join('|')
  return { pattern: `^${scheme}(?:${privateHost})(?::443)?(?:/|$)`, not: { pattern: `^(?:${exempt})(?:/|$)` } }
}

const escaped = (origin: string): string => origin.replace(/[.\\[\]]/g, '\\$&')

/** What is wrong with a URL: the rule it breaks, and the end of a sentence that says so. */
export type UrlFault = { rule: 'https_url' | 'public_host'; words: string }

/** Finds what keeps a text from being such a URL. An upload is let in: whose it is, is judged later. */
export function createMediaUrlCheck(field: Origins): (text: string) => UrlFault | undefined {
  const form = new RegExp(mediaUrlPattern(field))
  const policy = { forbiddenRanges: [], trustedOrigins: field.privateOrigins.map(origin => ({ origin })) }
  return text => {
    if (!form.test(text)) return faultOfForm(text)
    if (namesUpload(text) || refusalOf(text, policy) === undefined) return undefined
    return faultOfHost(/^https:\/\/(\[[^\]]*\]|[^:/]*)/i.exec(text)?.[1] ?? '')
  }
}

/** Why media-probe would not fetch this; undefined where it would. It knows more than a pattern: what an `xn--` label stands for. */
function refusalOf(url: string, policy: FetchPolicy = { forbiddenRanges: [], trustedOrigins: [] }): Failure | undefined {
  try {
    checkUrl(url, policy)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

function faultOfForm(text: string): UrlFault {
  const fault = (words: string): UrlFault => ({ rule: 'https_url', words })
  if (!/^https:\/\//i.test(text)) return fault(`must be an https:// URL, and is ${show(text)}`)
  const rest = text.slice('https://'.length)
  const [authority = ''] = rest.split(/[/?#\\]/)
  const odd = /[^A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]/u.exec(text)
  const isInHost = odd !== null && odd[0] > '\u007f' && odd.index < 'https://'.length + authority.length
  if (odd && !isInHost)
    return fault(`must be percent-encoded: it has ${show(odd[0])} (${codePointOf(odd[0])}) at character ${odd.index + 1}`)
  if (text.includes('#')) return fault(`must have no fragment, and has ${show(text.slice(text.indexOf('#')))}`)
  if (authority.includes('@')) return fault('must have no user and no password before its host')
  const [, hostName = '', port] = /^(\[[^\]]*\]?|[^:]*)(?::(.*))?$/.exec(authority) ?? ['', authority]
  if (port !== undefined && port !== '443') return fault(`must be on port 443, and names port ${show(port)}`)
  if (!wholeHost.test(hostName)) return faultOfHost(hostName)
  return fault(rest[authority.length] === '?' ? 'must have a path before its query' : 'must have no brackets outside its host')
}

const wholeHost = new RegExp(`^${host}$`)

/** Where browsers read a public host in it, that is what to write: letters of other alphabets as `xn--`, an address in decimal parts. */
function faultOfHost(hostName: string): UrlFault {
  const read = URL.parse(`https://${hostName}/`)?.hostname ?? ''
  const refusal = refusalOf(`https://${read}/`)
  if (!refusal && read !== hostName.toLowerCase())
    return { rule: 'https_url', words: `must write its host as ${read}, and writes ${show(hostName)}` }
  const words = `must name a public host, as in media.example.com, and names ${show(hostName)}`
  if (refusal?.reason !== 'address_forbidden') return { rule: 'https_url', words }
  const { words: why }: { words?: string } = refusal.options.details ?? {}
  return { rule: 'public_host', words: `${words}: ${why}` }
}

const codePointOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

import { zoneName } from './dns-server'
import {
  literalOf,
  media,
  nameOf,
  ok,
  privateAddresses,
  privateNames,
  refused,
  spellings,
  texts,
  unreachable,
  type Vector,
} from './vectors'

const redirectTo = (url: string, status = '302 Found') =>
  `https://${media}/to?url=${encodeURIComponent(url)}&status=${encodeURIComponent(status)}`

/** Printable or not, a Location header carries it. */
const headerSafe = (url: string) => /^[\t\u0020-\u007e]*$/.test(url) && url.trim() === url

/** Of the texts, what browsers read as a public host of ours that answers. */
const readAsOurs = [
  `https://@${media}/ok.jpg`,
  `https:\\\\${media}\\ok.jpg`,
  `https://med\tia.${zoneName}/ok.jpg`,
  `https:///${media}/ok.jpg`,
  `https://${media}/ok.jpg#t=1`,
  `https://%6dedia.${zoneName}/ok.jpg`,
]

export const redirectVectors: Vector[] = [
  ...[...texts, ...spellings]
    .filter(url => headerSafe(url) && /^[a-z+-]*:/i.test(url) && url.length < 1500)
    .map(url => ({
      name: `redirect to ${url}`,
      url: redirectTo(url),
      codes: readAsOurs.includes(url) ? [ok] : [refused, unreachable],
    })),
  ...privateNames.map(url => ({ name: `redirect to ${url}`, url: redirectTo(url), codes: [refused] })),
  ...privateAddresses.flatMap(address => [
    { name: `redirect to ${address}`, url: redirectTo(`https://${literalOf(address)}/ok.jpg`), codes: [refused] },
    { name: `redirect to a name of ${address}`, url: redirectTo(`https://${nameOf(address)}/ok.jpg`), codes: [refused] },
  ]),
  ...['301 Moved', '303 See Other', '307 Temporary', '308 Permanent'].map(status => ({
    name: `${status} to private`,
    url: redirectTo('https://10.0.0.1/', status),
    codes: [refused],
  })),
  ...['//10.0.0.1/', '/\\10.0.0.1/', '\\\\10.0.0.1\\', '//127.0.0.1:443/', '/\t/10.0.0.1/'].map(location => ({
    name: `Location ${location}`,
    url: redirectTo(location),
    codes: [refused],
  })),
  { name: 'redirect with spaces and Korean', url: redirectTo(`https://${media}/ok.jpg?a b[수정]#t`), codes: [ok] },
  { name: 'redirect to another public host', url: redirectTo(`https://${nameOf('8.8.8.8')}/ok.jpg`), codes: [ok] },
]

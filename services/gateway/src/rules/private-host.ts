import { privateSuffixes } from '@filmgate/kit/safe-fetch/check-url'

/** The special ranges of kit's `public-address.ts`, by how many parts of a dotted quad name them. */
const quads = [
  '(?:0|10|127|22[4-9]|2[345][0-9])(?:\\.[0-9]+){3}',
  '(?:100\\.(?:6[4-9]|[789][0-9]|1[01][0-9]|12[0-7])|169\\.254|172\\.(?:1[6-9]|2[0-9]|3[01])|192\\.168|198\\.1[89])(?:\\.[0-9]+){2}',
  '(?:192\\.(?:0\\.[02]|31\\.196|52\\.193|88\\.99|175\\.48)|198\\.51\\.100|203\\.0\\.113)\\.[0-9]+',
  '168\\.63\\.129\\.16',
]

const hex = '[0-9A-Fa-f]'
const group = `${hex}{1,4}`
const isatap = '(?:0{1,4}|0?200)'
/** Of 2000::/3, what is not routed; `:` alone stands for groups of zeros. Any other first group is no media URL's. */
const sixes = [
  `2001:(?:0?[01]?${hex}{1,2})?:.*`,
  '2001:0?[Dd][Bb]8:.*',
  '2002:.*',
  '2620:0{0,2}4[Ff]:8000:.*',
  '3[Ff][Ff][Ee]:.*',
  `3[Ff]{3}:(?:0?${hex}{1,3})?:.*`,
  `.*:${isatap}?:5[Ee][Ff][Ee]:${group}:${group}`,
  `${group}(?::${group}){3}:${isatap}:5[Ee][Ff][Ee]::(?:${group})?`,
]

const anyCase = (word: string): string => word.replace(/[a-z]/g, letter => `[${letter.toUpperCase()}${letter}]`)

/**
 * Hosts that lead nowhere public, as the end of a URL's authority. It is for texts that match `mediaUrlPattern`: what is no host at all may
 * match or not. Kit's `checkUrl` is the judge, and the tests compare both.
 */
export const privateHost = [
  `(?:[^/]*\\.)?(?:${privateSuffixes.map(anyCase).join('|')})`,
  ...quads,
  `\\[(?:${sixes.join('|')})\\]`,
  // Longer than DNS has them.
  '[^/:]{254,}',
].join('|')

import type { Advice } from '../../limits/formats'
import { asPicture, asVideo, directLink } from './signatures'

/** Titles of share pages stand behind their scripts. */
export const pageBytesMax = 65_536
const titleCharactersMax = 80
/** Comments and declarations before the first element. */
const prologPartsMax = 20

/** A page may begin with a byte order mark and spaces. */
export const startsMarkup = (head: Buffer): boolean => /^(?:\xef\xbb\xbf)?\s*</.test(head.toString('latin1', 0, 64))

type Described = { name: string; advice: Advice }

/** Names a text that came instead of a file: a page, an error of a store, JSON. Undefined if the bytes are no text. */
export function describeText(bytes: Buffer): Described | undefined {
  const head = bytes.subarray(0, pageBytesMax)
  const text = new TextDecoder().decode(head, { stream: true })
  const element = startsMarkup(head) ? firstElement(text) : ''
  if (element) return describeMarkup(head, element)
  if (text === '' || /[^\P{Cc}\t\n\f\r]|\ufffd/u.test(text.slice(0, 512))) return undefined
  return { name: /^\s*[[{]/.test(text) ? 'JSON, not the file' : 'a text, not the file', advice: directLink }
}

const others = new Map<string, Described>([
  ['svg', { name: 'an SVG picture', advice: asPicture }],
  ['mpd', { name: 'a DASH manifest', advice: asVideo }],
])
const pageElements = /^(?:html|head|body|title|meta|script|noscript|link|style|base|div|p|h1|center|main|iframe)$/

function describeMarkup(head: Buffer, element: string): Described {
  if (pageElements.test(element)) return { name: `a web page${inBrackets(between(head, 'title'), '“”')}, not the file`, advice: directLink }
  if (element === 'error') return { name: `an XML error${inBrackets(between(head, 'code'))}, not the file`, advice: directLink }
  return others.get(element) ?? { name: 'an XML document, not the file', advice: directLink }
}

const inBrackets = (text: string, [open = '', close = ''] = '') => (text ? ` (${open}${text}${close})` : '')

/** The name of the document type or of the first element, in lower case. No expression: it would backtrack. */
function firstElement(text: string): string {
  let rest = text.trimStart()
  for (let parts = 0; parts < prologPartsMax; parts += 1) {
    const end = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?') ? '?>' : undefined
    if (!end) break
    const at = rest.indexOf(end)
    rest = at === -1 ? '' : rest.slice(at + end.length).trimStart()
  }
  const [, name = ''] = /^<(?:!doctype\s+)?([a-z][\w-]{0,20})/i.exec(rest) ?? []
  return name.toLowerCase()
}

/** The text of the first such element, safe to show in any page, log or terminal, and bounded. */
function between(head: Buffer, element: string): string {
  // Latin-1 keeps the offsets of bytes.
  const lower = head.toString('latin1').toLowerCase()
  const open = lower.indexOf(`<${element}`)
  const from = open === -1 ? -1 : lower.indexOf('>', open) + 1
  const to = from <= 0 ? -1 : lower.indexOf(`</${element}`, from)
  if (to === -1) return ''
  const plain = new TextDecoder().decode(head.subarray(from, to)).replace(/\s+/g, ' ')
  const characters = [...plain.replace(/[\p{C}\ufffd“”<>"]/gu, '').trim()]
  const shown = characters.length > titleCharactersMax ? [...characters.slice(0, titleCharactersMax), '…'] : characters
  return shown.join('')
}

type Expected = 'value' | 'item' | 'first key' | 'key' | 'colon' | 'comma' | 'end'
type Token = { kind: 'string' | 'scalar' | 'punctuation'; text: string; at: number }
type Fault = { at: number; words: string }

const blank = /[ \t\n\r]*/y
const string = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/uy
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y
const punctuation = /[{}[\],:]/y

/** Why a text that `JSON.parse` refused is not JSON, and where, as a sentence. It runs on that refusal alone. */
export function jsonFault(text: string): string {
  if (text.trim() === '') return 'The body is empty.'
  const fault = firstFault(text)
  return fault ? `The body is not valid JSON: ${placeOf(text, fault.at)}: ${fault.words}.` : 'The body is not valid JSON.'
}

/** Where a body stops being UTF-8, as a sentence: at the first byte of the character that is none. */
export function utf8Fault(bytes: Uint8Array): string {
  let [valid, invalid] = [0, bytes.length + 1]
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1
    if (isUtf8(bytes.subarray(0, middle), { stream: true })) valid = middle
    else invalid = middle
  }
  while (!isUtf8(bytes.subarray(0, valid), { stream: false })) valid -= 1
  return `The body is not UTF-8 at byte ${valid + 1}, which is 0x${bytes[valid]?.toString(16).toUpperCase().padStart(2, '0')}.`
}

/** As a stream also a beginning of it, which may end within a character. */
function isUtf8(bytes: Uint8Array, { stream }: { stream: boolean }): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream })
    return true
  } catch {
    return false
  }
}

function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split(/\r\n|\n|\r/)
  return `line ${before.length}, column ${[...(before.at(-1) ?? '')].length + 1}`
}

function firstFault(text: string): Fault | undefined {
  const closers: string[] = []
  let expected: Expected = 'value'
  let before: Token | undefined
  let at = 0
  for (;;) {
    at += match(blank, text, at).length
    if (at === text.length && expected === 'end') return undefined
    const token = readToken(text, at)
    const next: Expected | undefined = token && nextExpected(expected, token, closers)
    if (!token || !next) return describe(text, at, expected, before)
    expected = next
    before = token
    at += token.text.length
  }
}

function readToken(text: string, at: number): Token | undefined {
  const quoted = match(string, text, at)
  if (quoted !== '') return text[at + quoted.length] === '"' ? { kind: 'string', text: `${quoted}"`, at } : undefined
  const word = match(scalar, text, at)
  if (word !== '') return { kind: 'scalar', text: word, at }
  const mark = match(punctuation, text, at)
  return mark === '' ? undefined : { kind: 'punctuation', text: mark, at }
}

const closable = new Set<Expected>(['comma', 'item', 'first key'])

/** What may follow a token; undefined where the token itself may not stand. `closers` has the bracket that each open level ends with. */
function nextExpected(expected: Expected, { kind, text }: Token, closers: string[]): Expected | undefined {
  const ended = (): Expected => (closers.length > 0 ? 'comma' : 'end')
  if (closable.has(expected) && text === closers.at(-1)) {
    closers.pop()
    return ended()
  }
  if (expected === 'comma') return text !== ',' ? undefined : closers.at(-1) === '}' ? 'key' : 'value'
  if (expected === 'colon') return text === ':' ? 'value' : undefined
  if (expected === 'key' || expected === 'first key') return kind === 'string' ? 'colon' : undefined
  if (expected === 'end') return undefined
  if (kind !== 'punctuation') return ended()
  if (text !== '{' && text !== '[') return undefined
  closers.push(text === '{' ? '}' : ']')
  return text === '{' ? 'first key' : 'item'
}

const wanted: Record<Expected, string> = {
  value: 'a value',
  item: 'a value or ]',
  'first key': 'a key in double quotes or }',
  key: 'a key in double quotes',
  colon: 'a colon behind the key',
  comma: 'a comma or the closing bracket',
  end: 'the end',
}

/** What people write that is not JSON; the first that fits is said. */
const knownFaults: [form: RegExp, words: (found: string) => string, where?: Expected[]][] = [
  [/^(?:\/\/|\/\*|#)/, () => 'JSON has no comments'],
  [/^[+-]?(?:NaN|Infinity|inf)\b/i, found => `JSON has no number ${found}`],
  [/^(?:undefined|None|True|False|TRUE|FALSE|NULL|Null)\b/, found => `JSON has true, false and null, and no ${found}`],
  [/^['`‘’‚“”„«»″]/, found => `JSON has text in straight double quotes, and not in ${found}`],
  [/^[+-]?\.?\d[\w.+-]{0,19}/, found => `${found} is not how JSON writes a number`, ['value', 'item']],
  [/^[\p{L}_$][\p{L}\p{N}_$]{0,19}/u, found => `the key ${found} must stand in double quotes`, ['key', 'first key']],
]

function describe(text: string, at: number, expected: Expected, before: Token | undefined): Fault {
  const rest = text.slice(at)
  if (rest === '') return { at, words: `it ends where ${wanted[expected]} is expected` }
  if (before?.text === ',' && /^[}\]]/.test(rest)) return { at: before.at, words: 'JSON has no trailing comma' }
  const quoted = match(string, text, at)
  if (quoted !== '' && text[at + quoted.length] !== '"') return brokenString(text, at, at + quoted.length)
  for (const [form, words, where] of knownFaults) {
    const [found] = form.exec(rest) ?? []
    if (found !== undefined && (where === undefined || where.includes(expected))) return { at, words: words(found) }
  }
  if (expected === 'end') return { at, words: `${shown(rest)} follows the end of the value` }
  return { at, words: `${shown(rest)} stands where ${wanted[expected]} is expected` }
}

function brokenString(text: string, from: number, at: number): Fault {
  const [character, escaped] = text.slice(at, at + 3)
  if (character === undefined || (character === '\\' && escaped === undefined))
    return { at: from, words: 'the text that begins here has no closing quote' }
  if (character === '\\')
    return {
      at,
      words: escaped === 'u' ? 'four hexadecimal digits must follow \\u' : `JSON has no escape \\ before ${shown(escaped ?? '')}`,
    }
  const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character]
  return { at, words: `within quotes, ${codePointOf(character)} is written ${short ?? `\\u${hex(character).toLowerCase()}`}` }
}

function shown(rest: string): string {
  const [character = ''] = rest
  return /[!-~\p{L}\p{N}]/u.test(character) ? character : codePointOf(character)
}

const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
const codePointOf = (character: string): string => `U+${hex(character)}`

function match(form: RegExp, text: string, at: number): string {
  form.lastIndex = at
  return form.exec(text)?.[0] ?? ''
}

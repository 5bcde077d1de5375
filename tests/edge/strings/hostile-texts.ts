const megabyte = 1_048_576

/** Text as it can stand in a JSON body. `short` are those that `bun run test` tries. */
export const hostileTexts: { name: string; text: string; short?: true }[] = [
  { name: 'U+0000', text: 'a\0b', short: true },
  { name: 'U+0000 alone', text: '\0' },
  { name: 'a high surrogate alone', text: 'a\ud800b', short: true },
  { name: 'a low surrogate alone', text: '\udc00', short: true },
  { name: 'a pair turned round', text: '\udf00\ud83c' },
  { name: '1 MB', text: 'x'.repeat(megabyte), short: true },
  { name: '60 kB', text: 'x'.repeat(60_000) },
  { name: 'right-to-left marks', text: 'a\u200f\u202e\u2067txt.4pm\u2069\u202c', short: true },
  { name: 'Hebrew and Arabic', text: 'שלום مرحبا' },
  { name: 'a byte order mark', text: '\ufeffa' },
  { name: 'a noncharacter', text: 'a\uffff\ufffe\u{10ffff}' },
  { name: 'the replacement character', text: '\ufffd' },
  { name: 'a character of four bytes', text: '🎬' },
  { name: 'an escape sequence', text: '\u001b[2Ja\u009b2J' },
  { name: 'line ends', text: 'a\r\nb\u2028c' },
  { name: 'U+007F', text: 'a\u007f' },
  { name: 'two hundred accents', text: `e${'\u0301'.repeat(200)}` },
  { name: 'nothing', text: '' },
  { name: 'blanks', text: ' \t ' },
  { name: 'a quote and a comment', text: `'; -- "` },
  { name: 'a backslash and a u', text: '\\u0000' },
  { name: '__proto__', text: '__proto__' },
  { name: 'percent signs', text: '%00%ff' },
  { name: 'a path', text: '../../etc/passwd' },
]

/** Text as it can stand in a path or a query, encoded as it is sent. */
export const hostileEncodings: { name: string; text: string; short?: true }[] = [
  { name: '%00', text: '%00', short: true },
  { name: 'a %00 inside', text: 'vt_a%00b', short: true },
  { name: '%ff', text: '%ff', short: true },
  { name: 'an encoded surrogate', text: '%ED%A0%80', short: true },
  { name: 'an overlong U+0000', text: '%C0%80' },
  { name: 'half a character', text: '%E2%80' },
  { name: 'right-to-left marks', text: '%E2%80%8F%E2%80%AE', short: true },
  { name: 'a percent sign that encodes nothing', text: '%zz', short: true },
  { name: 'a percent sign at the end', text: 'a%' },
  { name: 'line ends', text: 'a%0d%0aX:%20y' },
  { name: 'a slash', text: '..%2f..%2fetc' },
  { name: 'a blank', text: '%20' },
  { name: 'a plus', text: 'a+b' },
  { name: 'a quote', text: "%27%20or%20%27%27='" },
  { name: 'U+007F', text: 'a%7f' },
  { name: 'a character of four bytes', text: '%F0%9F%8E%AC' },
  { name: '__proto__', text: '__proto__' },
  { name: '8 kB', text: 'a'.repeat(8_000) },
  { name: '1 MB', text: 'a'.repeat(megabyte), short: true },
]

/** A header's value as bytes, a character a byte. */
export const hostileHeaders: { name: string; text: string; short?: true }[] = [
  { name: 'bytes beyond ASCII', text: 'a\x80\xff', short: true },
  { name: 'right-to-left marks', text: Buffer.from('a\u200f\u202eb').toString('latin1'), short: true },
  { name: 'a surrogate as UTF-8', text: 'a\xed\xa0\x80' },
  { name: 'a tab', text: 'a\tb' },
  { name: 'nothing', text: '' },
  { name: '%00', text: '%00' },
  { name: '8 kB', text: 'a'.repeat(8_000) },
  { name: 'a list', text: 'a, b' },
  { name: 'a quote', text: `'"` },
]

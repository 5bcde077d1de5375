/**
 * Code points that leave no mark: controls, white space, what Unicode calls default-ignorable, and the empty braille pattern. Those outside
 * the basic plane are left out: without the `u` flag an engine has no range of them.
 */
const invisible: [first: number, last: number][] = [
  [0x00, 0x20],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x202a, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
]

/** Engines agree on `\xHH` and on a character that stands for itself, not on `\uHHHH`, `\p` or what `\s` holds. */
const written = (code: number): string => (code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : String.fromCharCode(code))

const range = ([first, last]: [number, number]): string => (first === last ? written(first) : `${written(first)}-${written(last)}`)

/**
 * The pattern of JSON Schema for a text that has something to see. `\s` has the line separators, which must not stand for themselves:
 * generated clients write the pattern as a regular expression of their language.
 */
export const visiblePattern = `[^\\s${invisible.map(range).join('')}]`

const visible = new RegExp(visiblePattern)

export const isVisible = (text: string): boolean => visible.test(text)

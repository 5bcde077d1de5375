/** The id of a heading: its words in lower case, with dashes. Codes keep their underscores, names of models their dots. */
export const anchorOf = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_. -]/gu, '')
    .trim()
    .replace(/[. ]*\s+/g, '-')

/** Ids of one page: the second of two equal headings ends in -2. */
export function createAnchors(): (words: string) => string {
  const seen = new Map<string, number>()
  return words => {
    const anchor = anchorOf(words)
    const times = (seen.get(anchor) ?? 0) + 1
    seen.set(anchor, times)
    return times === 1 ? anchor : `${anchor}-${times}`
  }
}

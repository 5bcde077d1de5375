const title = /^# (\d{4}) · (.+)$/m

/** Nobody reads more pages. */
const pagesMax = 40

/**
 * Faults of docs/decisions: too many pages, or a page that differs from the template or the index. `pages` by file
 * name.
 */
export function decisionFaults(pages: ReadonlyMap<string, string>, index: string): string[] {
  const tooMany =
    pages.size > pagesMax
      ? [`docs/decisions: ${pages.size} pages, at most ${pagesMax}: merge related pages, or move a reason to a comment or a README`]
      : []
  return [
    ...tooMany,
    ...[...pages].flatMap(([file, text]) => pageFaults(file, text, index).map(fault => `docs/decisions/${file}: ${fault}`)),
  ]
}

function pageFaults(file: string, text: string, index: string): string[] {
  const [, number, heading = ''] = title.exec(text) ?? []
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name)
  const line = index.split('\n').find(line => line.includes(`](${file})`))
  return [
    ...(number && file.startsWith(number) ? [] : ['its heading is not “# NNNN · the decision” with the number of the file']),
    ...(sections.join() === 'Context,Decision,Consequences' ? [] : ['its sections are not Context, Decision, Consequences, in this order']),
    ...(line === undefined ? ['README.md does not list it'] : []),
    ...(line !== undefined && line !== `- [${number}](${file}) ${heading}` ? ['README.md has another number or title for it'] : []),
  ]
}

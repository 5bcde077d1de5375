const title = /^# (\d{4}) · (.+)$/m
const states = /^(Proposed|Accepted|Superseded)\b/

/** Pages that don't follow docs/decisions/0000-template.md, and what their index doesn't say of them. `pages` by file name. */
export function decisionFaults(pages: ReadonlyMap<string, string>, index: string): string[] {
  return [...pages].flatMap(([file, text]) => {
    const [, number, words = ''] = title.exec(text) ?? []
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name).filter(name => name !== 'Consequences')
    const status = /^## Status\n\n(.+)/m.exec(text)?.[1] ?? ''
    const row = index.split('\n').find(line => line.includes(`](${file})`))
    return [
      ...(number && file.startsWith(number) ? [] : ['its heading is not “# NNNN · what is decided” with the number of the file']),
      ...(sections.join() === 'Context,Decision,Status'
        ? []
        : ['its sections are not Context, Decision, (Consequences), Status, in this order']),
      ...(states.test(status) ? [] : ['its status is not Proposed, Accepted or Superseded']),
      ...(row === undefined ? ['README.md does not list it'] : []),
      ...(row !== undefined && !row.includes(`| ${words} |`) ? ['README.md has another title for it'] : []),
      ...(row !== undefined && !row.includes(`| ${states.exec(status)?.[0]}`) ? ['README.md has another status for it'] : []),
    ].map(words => `docs/decisions/${file}: ${words}`)
  })
}

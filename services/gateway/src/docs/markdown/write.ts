/** Text of cards and of the OpenAPI document as Markdown: what is between backticks stays code. */
export const prose = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\*[\]<>]/g, '\\$&')))
    .join('`')

export const codeSpan = (text: string | number): string => `\`${text}\``

export const fence = (text: string, language = ''): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``

export const bullets = (lines: string[]): string => lines.map(line => `- ${line}`).join('\n')

/** Cells are Markdown; a bar in one is escaped, and a line break becomes a space. */
export function table(columns: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) =>
    `| ${cells
      .map(cell =>
        String(cell)
          .replaceAll('|', '\\|')
          .replace(/\s*\n\s*/g, ' '),
      )
      .join(' | ')} |`
  return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** Blocks with an empty line between them; what is undefined, false or empty is left out. */
export const blocks = (...parts: (string | false | undefined)[]): string => parts.filter(Boolean).join('\n\n')

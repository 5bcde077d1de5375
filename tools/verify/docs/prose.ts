import { parse } from '@textlint/markdown-to-ast'
import { split } from 'sentence-splitter'
import { StringSource } from 'textlint-util-to-string'

/** Maximum words of a sentence: average and 90th percentile. */
const [averageMax, ninetiethMax] = [18, 30]
/** Maximum line length of paragraphs and lists; tables and code are exempt. */
const lineMax = 120
/** Longer cells become sections. */
const cellMax = 300

type Node = { type: string; children?: readonly Node[]; raw: string; loc: { start: { line: number } } }

/** Long sentences, lines and table cells of a Markdown page. */
export function proseFaults(file: string, text: string): string[] {
  const paragraphs: Node[] = []
  const cells: Node[] = []
  const visit = (node: Node): void => {
    if (node.type === 'Paragraph') paragraphs.push(node)
    else if (node.type === 'TableCell') cells.push(node)
    else for (const child of node.children ?? []) visit(child)
  }
  visit(parse(text) as Node)
  const longLines = paragraphs.flatMap(({ raw, loc }) =>
    raw
      .split('\n')
      .flatMap((line, index) =>
        line.length > lineMax ? [`${file}:${loc.start.line + index}: ${line.length} characters, at most ${lineMax}`] : [],
      ),
  )
  const longCells = cells
    .map(({ raw, loc }) => ({ characters: raw.replace(/^\||\|$/g, '').trim().length, line: loc.start.line }))
    .filter(({ characters }) => characters > cellMax)
    .map(({ characters, line }) => `${file}:${line}: a table cell of ${characters} characters, at most ${cellMax}`)
  return [...sentenceFaults(file, paragraphs), ...longLines, ...longCells]
}

function sentenceFaults(file: string, paragraphs: Node[]): string[] {
  const sentences = paragraphs
    .flatMap(node => split(new StringSource(node as ConstructorParameters<typeof StringSource>[0]).toString()))
    .filter(({ type }) => type === 'Sentence')
    .map(({ raw }) => ({ raw, words: raw.match(/[\p{L}\p{N}][\p{L}\p{N}’'\-_./:]*/gu)?.length ?? 0 }))
    .filter(({ words }) => words > 0)
    .sort((a, b) => a.words - b.words)
  if (sentences.length === 0) return []
  const average = sentences.reduce((sum, { words }) => sum + words, 0) / sentences.length
  const ninetieth = sentences[Math.floor(sentences.length * 0.9)]?.words ?? 0
  const longest = `the longest begins “${sentences.at(-1)?.raw.slice(0, 60)}”`
  return [
    ...(average > averageMax ? [`${file}: ${average.toFixed(1)} words a sentence, at most ${averageMax}; ${longest}`] : []),
    ...(ninetieth > ninetiethMax
      ? [`${file}: a tenth of its sentences has ${ninetieth} words or more, at most ${ninetiethMax}; ${longest}`]
      : []),
  ]
}

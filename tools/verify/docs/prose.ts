import { parse } from '@textlint/markdown-to-ast'
import { split } from 'sentence-splitter'
import { StringSource } from 'textlint-util-to-string'

/** Words of a sentence: on average, and of the longest tenth the shortest. */
const [averageMax, ninetiethMax] = [18, 30]
/** A paragraph or list wraps here; tables and code have lines of their own. */
const lineMax = 120
/** More is a section of its own. */
const cellMax = 300

type Node = { type: string; children?: readonly Node[]; raw: string; loc: { start: { line: number } } }

/** What keeps a Markdown page from being read at first sight: long sentences, long lines, long table cells. */
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

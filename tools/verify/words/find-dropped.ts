import { readFileSync } from 'node:fs'
import { sourceFiles } from '../source-files'
import { passIfNone, type Step } from '../step'
import { type DroppedWord, droppedWords, exemptLines } from './dropped-words'
import { readWords } from './read-words'

const read = /^(services|tools|tests|docs|proto\/filmgate|patches)\/.*\.(ts|js|cjs|md|sql|proto)$|^[A-Z]+\.md$|^charts\/[^/]+\.md$/

export const wordSteps: Step[] = [
  {
    name: 'dropped words',
    fix: 'Use one word per concept: tools/verify/words/dropped-words.ts has the replacement, docs/glossary.md its meaning.',
    run: async () => {
      const files = (await sourceFiles()).filter(file => read.test(file))
      return passIfNone(files.flatMap(file => findDropped(file, readFileSync(file, 'utf8'))))
    },
  },
]

/** Uses of dropped words in a file, with line and replacement. */
export function findDropped(file: string, text: string): string[] {
  const own = droppedWords.filter(({ within }) => !within || within.test(file))
  const inFile = own.filter(({ sense, pattern }) => sense === 'file' && pattern.test(file)).map(word => `${file}: ${describe(word)}`)
  if (own.length === 0) return inFile
  // Parsing is slow, and most files have no candidate.
  const lines = text.split('\n')
  const words = new Set(text.match(/[A-Za-z_$][\w$]*/g))
  const isLikely = ({ sense, pattern }: DroppedWord) => (sense === 'prose' ? lines : [...words]).some(one => pattern.test(one))
  if (!own.some(word => word.sense !== 'file' && isLikely(word))) return inFile
  const { names, prose } = readWords(file, text)
  const isExempt = (line: number) => exemptLines.some(one => one.file.test(file) && (lines[line - 1] ?? '').includes(one.contains))
  const uses = own.flatMap(word => {
    if (word.sense === 'file') return []
    const places = word.sense === 'name' ? names : prose
    return places.filter(({ text, line }) => word.pattern.test(text) && !isExempt(line)).map(({ line }) => ({ line, word }))
  })
  const found = new Set(uses.map(({ line, word }) => `${file}:${line}: ${describe(word)}`))
  return [...inFile, ...found]
}

const describe = ({ word, use }: DroppedWord): string => `“${word}” was dropped, use ${use}`

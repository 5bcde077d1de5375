import { readFileSync } from 'node:fs'
import { sourceFiles } from '../source-files'
import { nothingIn, type Step } from '../step'
import { findDropped } from './find-dropped'

const read = /^(services|tools|tests|docs|proto\/filmgate|patches)\/.*\.(ts|js|cjs|md|sql|proto)$|^[A-Z]+\.md$|^charts\/[^/]+\.md$/

export const wordSteps: Step[] = [
  {
    name: 'dropped words',
    cure: 'One word a concept: tools/verify/words/dropped-words.ts says what is used instead, docs/glossary.md what it means.',
    run: async () => {
      const files = (await sourceFiles()).filter(file => read.test(file))
      return nothingIn(files.flatMap(file => findDropped(file, readFileSync(file, 'utf8'))))
    },
  },
]

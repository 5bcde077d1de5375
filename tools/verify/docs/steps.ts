import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { sourceFiles } from '../source-files'
import { passIfNone, type Step } from '../step'
import { decisionFaults } from './decisions'
import { missingFiles } from './missing-files'
import { proseFaults } from './prose'

const decisions = 'docs/decisions/'
/** Generated from the comments of values. */
const generated = /^charts\/[a-z-]+\/README\.md$/

export const docSteps: Step[] = [
  {
    name: 'files named in docs',
    fix: 'A document must name existing files: correct the path or remove it.',
    run: async () => {
      const files = new Set(await sourceFiles())
      const documents = [...files].filter(file => file.endsWith('.md'))
      return passIfNone(documents.flatMap(file => missingFiles(file, readFileSync(file, 'utf8'), files)))
    },
  },
  {
    name: 'decisions',
    fix: 'A decision follows docs/decisions/0000-template.md and has its line in docs/decisions/README.md. Every smaller reason is a comment at its code.',
    run: async () => {
      const files = (await sourceFiles()).filter(file => /^docs\/decisions\/\d{4}-[^/]+\.md$/.test(file) && !file.includes('/0000-'))
      const pages = new Map(files.map(file => [posix.basename(file), readFileSync(file, 'utf8')]))
      return passIfNone(decisionFaults(pages, readFileSync(`${decisions}README.md`, 'utf8')))
    },
  },
  {
    name: 'prose',
    fix: 'Write one idea a sentence. Wrap at 120 characters. Make a section of a long table cell.',
    run: async () => {
      const pages = (await sourceFiles()).filter(file => file.endsWith('.md') && !generated.test(file))
      return passIfNone(pages.flatMap(file => proseFaults(file, readFileSync(file, 'utf8'))))
    },
  },
]

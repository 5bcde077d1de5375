import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { sourceFiles } from '../source-files'
import { passIfNone, type Step } from '../step'
import { folderFaults } from './folder-imports'
import { oversizedFolders } from './folder-size'
import { skeletonFaults } from './skeleton'

export const layoutSteps: Step[] = [
  {
    name: 'folder size',
    fix: 'A folder has at most 15 files, including tests: split it by what its files do.',
    run: async () => passIfNone(oversizedFolders(await sourceFiles())),
  },
  {
    name: 'skeleton',
    fix: 'Every service has the same files for the same roles: CONTRIBUTING.md, “How the code is laid out”.',
    run: async () => {
      const files = (await sourceFiles()).filter(file => /^(services\/[^/]+\/(src|migrations)\/|Dockerfile$)/.test(file))
      return passIfNone(
        skeletonFaults(new Map(files.map(file => [file, /(\.ts|Dockerfile)$/.test(file) ? readFileSync(file, 'utf8') : '']))),
      )
    },
  },
  {
    name: 'folder imports',
    fix: 'Folders of a service must not import each other in a cycle: move what both need into the lower one, or into one below both.',
    run: async () => {
      const files = (await sourceFiles()).filter(file => /^services\/[^/]+\/src\/.*\.ts$/.test(file))
      return passIfNone(folderFaults(new Map(files.map(file => [file, importsIn(file, readFileSync(file, 'utf8'))]))))
    },
  },
]

const imported = /\bfrom\s+'(\.\.?\/[^']+)'|\bimport\(?\s*'(\.\.?\/[^']+)'/g

/** Includes type imports, which are dependencies between folders too. */
export const importsIn = (file: string, text: string): string[] =>
  [...text.matchAll(imported)].map(([, from, bare]) => {
    const path = posix.join(posix.dirname(file), from ?? bare ?? '')
    return /\.\w+$/.test(posix.basename(path)) ? path : `${path}.ts`
  })

import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from '../stack/fetch/run'

/** The report of the last green run, from the root. */
export const reportFile = 'tools/cluster-proof/proven.json'

/** What `bun run test:cluster --short` proves, as pathspecs of git; the code of the services has tests of its own. */
export const clusterInputs = [
  'charts',
  'k8s',
  'Dockerfile',
  '.dockerignore',
  'tests/cluster',
  // How charts are rendered and images and media made, and which versions the backends' images and the node are made of.
  'tools/charts/helm.ts',
  'tools/charts/value-sets.ts',
  'tools/images',
  'tools/images.ts',
  'tools/modules',
  'tools/sample-media/render-sample.ts',
  'tools/stack/fetch',
  'tools/verify/judges',
  // Rules' own tests, which `bun run verify` runs.
  ':(exclude)charts/filmgate/tests',
  ':(exclude)*.md',
  ':(exclude)*.test.ts',
]

/** A hash for each file or folder of inputs, in the order of their names. */
export type InputHashes = Record<string, string>

/**
 * Hashes the inputs as they lie in the working tree: files that git doesn't track don't count, changes that are not committed do.
 * Neither the place of the checkout nor the order in which git lists files matters.
 */
export async function hashInputs(root: string, inputs: readonly string[] = clusterInputs): Promise<InputHashes> {
  const listed = await mustRun('Listing the inputs of the cluster proof', ['git', '-C', root, 'ls-files', '-z', '--', ...inputs])
  const groups = new Map<string, string[]>()
  // By code units, whatever the locale: one order everywhere.
  for (const file of [...new Set(listed.split('\0'))].sort()) {
    const content = contentOf(join(root, file))
    if (file === '' || content === undefined) continue
    groups.set(groupOf(file), [...(groups.get(groupOf(file)) ?? []), `${file}\0${content}\n`])
  }
  return Object.fromEntries([...groups].map(([group, lines]) => [group, sha256(lines.join('')).slice(0, hashLength)]))
}

const namesDeep = 3
const hashLength = 16

/** The file itself, or the folder it is in at this depth: enough to say what changed, and few enough to be committed. */
const groupOf = (file: string): string => file.split('/').slice(0, namesDeep).join('/')

/** Kind and content of a file: a link is what it names. Nothing where it was deleted. */
function contentOf(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return undefined
  if (stat.isSymbolicLink()) return `link ${readlinkSync(path)}`
  if (!stat.isFile()) return undefined
  return `${stat.mode & 0o100 ? 'program' : 'file'} ${sha256(readFileSync(path))}`
}

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

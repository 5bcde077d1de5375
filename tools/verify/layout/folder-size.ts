import { posix } from 'node:path'

const filesMax = 15

/** Folders with data, numbered files or an index. */
export const exemptFolders: { folder: string; reason: string }[] = [
  { folder: 'services/catalog/models', reason: 'data: a card a model' },
  { folder: 'services/dispatcher/routes', reason: 'data: a file a model' },
  { folder: 'services/gateway/migrations', reason: 'numbered steps, each for ever' },
  { folder: 'services/dispatcher/migrations', reason: 'numbered steps, each for ever' },
  { folder: 'services/ledger/migrations', reason: 'numbered steps, each for ever' },
  { folder: 'services/console/migrations', reason: 'numbered steps, each for ever' },
  { folder: 'docs/decisions', reason: 'numbered pages; README.md is their index' },
]

/** Folders with too many files. Subfolders count separately. */
export function oversizedFolders(files: string[]): string[] {
  const exempt = new Set(exemptFolders.map(({ folder }) => folder))
  return [...Map.groupBy(files, file => posix.dirname(file))]
    .filter(([folder, own]) => own.length > filesMax && !exempt.has(folder) && !folder.startsWith('proto/gen/'))
    .map(([folder, own]) => `${folder}: ${own.length} files`)
    .sort()
}

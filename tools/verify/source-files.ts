import { mustRun } from '../stack/fetch/run'

/** The project's files in the working tree, including untracked ones, without ignored and deleted ones. */
export async function sourceFiles(): Promise<string[]> {
  const listed = await mustRun('Listing the files', ['git', 'ls-files', '--cached', '--others', '--exclude-standard'])
  const deleted = new Set((await mustRun('Listing the files', ['git', 'ls-files', '--deleted'])).split('\n'))
  return [...new Set(listed.split('\n'))].filter(file => file && !deleted.has(file))
}

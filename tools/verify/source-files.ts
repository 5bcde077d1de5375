import { mustRun } from '../stack/fetch/run'

/** The files of the project as git knows them, new ones included, ignored and deleted ones not. */
export async function sourceFiles(): Promise<string[]> {
  const listed = await mustRun('Listing the files', ['git', 'ls-files', '--cached', '--others', '--exclude-standard'])
  const deleted = new Set((await mustRun('Listing the files', ['git', 'ls-files', '--deleted'])).split('\n'))
  return [...new Set(listed.split('\n'))].filter(file => file && !deleted.has(file))
}

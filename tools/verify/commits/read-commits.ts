import { run } from '../../stack/fetch/run'
import type { Commit } from './message-faults'

const fieldEnd = '\u001f'
const commitEnd = '\u001e'

/** The commits after `base` that merge nothing, newest first; or why they can't be read. */
export async function readCommits(base: string, cwd?: string): Promise<Commit[] | { unread: string }> {
  const shallow = await run(['git', 'rev-parse', '--is-shallow-repository'], { cwd })
  if (shallow.code !== 0) return { unread: `no history can be read: ${shallow.output.split('\n')[0]}` }
  if (shallow.output === 'true') return { unread: 'the clone is shallow' }
  if ((await run(['git', 'merge-base', '--is-ancestor', base, 'HEAD'], { cwd })).code !== 0)
    return { unread: `${base.slice(0, 8)}, from which messages are checked, is not in this history` }
  const { output } = await run(['git', 'log', '--no-merges', '--format=%h%x1f%s%x1f%b%x1e', `${base}..HEAD`], { cwd })
  return output
    .split(commitEnd)
    .filter(text => text.includes(fieldEnd))
    .map(text => {
      const [hash = '', subject = '', body = ''] = text.trimStart().split(fieldEnd)
      return { hash, subject, body }
    })
}

import { run } from '../../stack/fetch/run'
import { passIfNone, type Step } from '../step'

/** Messages up to this commit are not checked. */
const base = 'e6296fe46f0cc214c277be82ebe0f7a753861b09'

export const commitSteps: Step[] = [
  {
    name: 'commit messages',
    fix: '`git commit --amend`, or `git rebase -i` where it is not the last: a subject `area: what`, and a body that says why.',
    run: async () => {
      const commits = await readCommits(base)
      return 'unreadable' in commits ? { ok: true, output: '', skipReason: commits.unreadable } : passIfNone(messageFaults(commits))
    },
  },
]

export type Commit = { hash: string; subject: string; body: string }

export const subjectCharactersMax = 72
/** An area is a service, folder or suite, in one or two words; several are separated by commas. */
const subjectForm = /^[\w./-]+( [\w./-]+)?(, [\w./-]+( [\w./-]+)?)*: \S/
const trailer = /^[A-Z][A-Za-z-]*-(by|By|Id): /

/** Faults of commit messages, by CONTRIBUTING.md, "How the code is laid out". */
export const messageFaults = (commits: Commit[]): string[] =>
  commits.flatMap(({ hash, subject, body }) => {
    const length = [...subject].length
    const hasReason = body.split('\n').some(line => line.trim() !== '' && !trailer.test(line))
    return [
      ...(subjectForm.test(subject) ? [] : ['the subject is not `area: what`']),
      ...(length <= subjectCharactersMax ? [] : [`the subject has ${length} characters, at most ${subjectCharactersMax} are read`]),
      ...(hasReason ? [] : ['the body does not say why']),
    ].map(fault => `${hash} ${subject}: ${fault}`)
  })

const fieldEnd = '\u001f'
const commitEnd = '\u001e'

/** The non-merge commits after `base`, newest first, or why they can't be read. */
export async function readCommits(base: string, cwd?: string): Promise<Commit[] | { unreadable: string }> {
  const shallow = await run(['git', 'rev-parse', '--is-shallow-repository'], { cwd })
  if (shallow.code !== 0) return { unreadable: `the history can't be read: ${shallow.output.split('\n')[0]}` }
  if (shallow.output === 'true') return { unreadable: 'the clone is shallow' }
  if ((await run(['git', 'merge-base', '--is-ancestor', base, 'HEAD'], { cwd })).code !== 0)
    return { unreadable: `${base.slice(0, 8)}, the base of the message check, is not in this history` }
  const { output } = await run(['git', 'log', '--no-merges', '--format=%h%x1f%s%x1f%b%x1e', `${base}..HEAD`], { cwd })
  return output
    .split(commitEnd)
    .filter(text => text.includes(fieldEnd))
    .map(text => {
      const [hash = '', subject = '', body = ''] = text.trimStart().split(fieldEnd)
      return { hash, subject, body }
    })
}

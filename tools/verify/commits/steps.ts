import { nothingIn, type Step } from '../step'
import { messageFaults } from './message-faults'
import { readCommits } from './read-commits'

/** Messages of this commit and those before it stay as they are. */
const base = 'e6296fe46f0cc214c277be82ebe0f7a753861b09'

export const commitSteps: Step[] = [
  {
    name: 'commit messages',
    cure: '`git commit --amend`, or `git rebase -i` where it is not the last: a subject `area: what`, and a body that says why.',
    run: async () => {
      const commits = await readCommits(base)
      return 'unread' in commits ? { ok: true, output: '', leftOut: commits.unread } : nothingIn(messageFaults(commits))
    },
  },
]

import type { Account } from '../client/account'
import type { Body } from '../client/api'
import { simulator } from '../simulator'
import { until } from '../until'
import type { Report } from './report'

/** What a client says of a video that it asked for: the task's id, or why there is none. */
export type MadeVideo = { prompt: string; id?: string; error?: string }

/** What an account is opened with whose videos are judged. */
export const judgedCredits = 1_000_000
/** Clients needn't wait for their videos: hundreds may still be in work, one after another. */
const madeMsMax = 900_000
const listEveryMs = 1_000

/** One task, one submit and one charge for each video, by the account's tasks, its credits and the provider's journal. */
export async function judgeVideos(report: Report, name: string, { api }: Account, made: MadeVideo[]): Promise<Task[]> {
  report.figure(`requests.${name.replaceAll(/\W+/g, '_')}`, made.length)
  const failed = made.filter(({ id }) => id === undefined)
  report.check(`${name}: every client has its video`, failed.length === 0, JSON.stringify(failed.slice(0, 3)))
  const ids = new Set(made.flatMap(({ id }) => id ?? []))
  report.check(`${name}: each has one of its own`, ids.size === made.length - failed.length, `${ids.size} of ${made.length}`)
  const tasks = await until(
    'all tasks to end',
    async () => {
      const all = await allTasks(api)
      if (all.every(({ status }) => status !== 'processing')) return all
      await Bun.sleep(listEveryMs)
    },
    madeMsMax,
  )
  report.check(`${name}: there is one task each`, tasks.length === made.length, `${tasks.length} tasks of ${made.length} requests`)
  const charged = tasks.reduce((sum, task) => sum + task.credits_used - task.credits_refunded, 0)
  const each = (tasks[0]?.credits_used ?? 0) * made.length
  report.check(
    `${name}: there is one charge each`,
    charged === each && judgedCredits - (await api.credits()) === each,
    `${charged} of ${each}`,
  )
  const submits = await Promise.all(made.map(async ({ prompt }) => (await simulator.submits(prompt)).length))
  report.check(
    `${name}: there is one submit each`,
    submits.every(count => count === 1),
    submits.join(),
  )
  return tasks
}

type Task = Pick<Body, 'id' | 'status' | 'credits_used' | 'credits_refunded' | 'output'>

async function allTasks(api: Account['api']): Promise<Task[]> {
  const all: Task[] = []
  for (let cursor = ''; ; ) {
    const { text } = await api.get(`/tasks?limit=100${cursor && `&cursor=${cursor}`}`)
    const page = JSON.parse(text) as { data: Task[]; next_cursor: string | null }
    all.push(...page.data)
    if (page.next_cursor === null) return all
    cursor = page.next_cursor
  }
}

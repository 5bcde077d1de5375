import { Elysia } from 'elysia'
import { isFields } from '../engine/fields'
import { isKeyOf } from '../engine/serve'
import type { ReadDeps } from '../generation/read'
import { cutConnection } from '../generation/routes'
import { badKey, malformed, type Reply, refused } from './answers'
import type { Task } from './forms'
import { type Outcome, runTask, type TaskDeps } from './tasks'

export type RunwareDeps = Omit<TaskDeps, 'origin'> & Omit<ReadDeps, 'origin'> & { key: string; publicUrl: string | undefined }

/**
 * The simulator in Runware's format, under /runware/v1 in the place of https://api.runware.ai/v1, and of wss://ws-api.runware.ai/v1: the same
 * generations, and the same faults. Every call is a list of tasks, and its answer what came of each.
 */
export const runwareFace = (deps: RunwareDeps) =>
  new Elysia({ name: 'runware', prefix: '/runware', normalize: false })
    .post(
      '/v1',
      async function postRunware({ request, server }) {
        if (!isKey(deps, request.headers.get('authorization')?.match(/^Bearer (\S+)$/)?.[1])) return shown(refused(401, {}, badKey))
        // An answer may be later than the server keeps an idle connection.
        server?.timeout(request, 0)
        const tasks = tasksOf(await request.text())
        return answered(tasks ? await run(deps, tasks, deps.publicUrl ?? new URL(request.url).origin) : malformed)
      },
      { parse: 'none' },
    )
    .ws('/v1', {
      // What is sent as text stays text: a list that is no JSON is a fault of the caller's.
      parse: (_, message) => message,
      async message(socket, message) {
        const tasks = tasksOf(typeof message === 'string' ? message : JSON.stringify(message))
        const outcome = tasks ? await speak(deps, socket, tasks) : malformed
        if (outcome === 'dropped') return void socket.terminate()
        socket.send(outcome === 'bad_json' ? cutJson : JSON.stringify(bodyOf(outcome)))
      },
    })

const cutJson = '{"data":['
const bodyOf = ({ data, errors }: Reply) => ({
  ...(data.length > 0 || errors.length === 0 ? { data } : {}),
  ...(errors.length > 0 && { errors }),
})
const shown = (told: Reply): Response => Response.json(bodyOf(told), { status: told.status })

function answered(outcome: Outcome): Response {
  if (outcome === 'dropped') return cutConnection()
  if (outcome === 'bad_json') return new Response(cutJson, { headers: { 'content-type': 'application/json' } })
  return shown(outcome)
}

const isKey = (deps: RunwareDeps, given: unknown): boolean => isKeyOf(deps, typeof given === 'string' ? given : '')

function tasksOf(text: string): Task[] | undefined {
  try {
    const tasks: unknown = JSON.parse(text)
    const isList = Array.isArray(tasks) && tasks.length > 0 && tasks.every(isFields)
    return isList ? tasks : undefined
  } catch {
    return undefined
  }
}

/** All of a list; the status is that of what was refused, where something was. */
async function run(deps: RunwareDeps, tasks: Task[], origin: string): Promise<Outcome> {
  const outcomes = await Promise.all(tasks.map(task => runTask({ ...deps, origin }, task)))
  const broken = outcomes.find(outcome => typeof outcome === 'string')
  if (broken) return broken
  const told = outcomes.filter(outcome => typeof outcome !== 'string')
  return {
    data: told.flatMap(({ data }) => data),
    errors: told.flatMap(({ errors }) => errors),
    status: Math.max(...told.map(({ status }) => status)),
  }
}

type Socket = { data: { request?: Request; isKnown?: boolean } }

/** A connection says its key first, in a task of its own, and may ask whether the other end is there. */
async function speak(deps: RunwareDeps, { data: connection }: Socket, tasks: Task[]): Promise<Outcome> {
  const [first] = tasks
  if (first?.taskType === 'authentication') {
    if (!isKey(deps, first.apiKey)) return refused(401, { taskType: 'authentication' }, badKey)
    connection.isKnown = true
    return { data: [{ taskType: 'authentication', connectionSessionUUID: crypto.randomUUID() }], errors: [], status: 200 }
  }
  if (!connection.isKnown) return refused(401, { taskType: 'authentication' }, badKey)
  if (first?.taskType === 'ping') return { data: [{ taskType: 'ping', pong: true }], errors: [], status: 200 }
  return run(deps, tasks, deps.publicUrl ?? (connection.request ? new URL(connection.request.url).origin : ''))
}

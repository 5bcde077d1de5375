import { requestOf } from '../engine/fields'
import { keyOfScheme, type Provider, refusalsOf } from '../engine/provider'
import {
  badKey,
  createdAnswer,
  creditsAnswer,
  faultAnswer,
  noSuchPath,
  noSuchTask,
  notCancelled,
  ownFault,
  refusals,
  taskOf,
} from './answers'
import { faultOf, formOf, type Input, type TaskForm } from './forms'
import { listTasks } from './list-tasks'

/** Vidu's API, in the place of https://api.vidu.com. */
export const vidu: Provider = {
  name: 'vidu',
  prefix: '/vidu/ent/v2',
  keyFault: keyOfScheme('Token', badKey),
  refusal: refusalsOf(refusals, ownFault),
  cutJson: '{"task_id":',
  routes: {
    async 'POST /:task'({ params: { task = '' }, json, submit }) {
      const form = formOf(task)
      if (!form) return noSuchPath
      const input = await json()
      if (!input) return faultAnswer({ reason: 'FieldInvalid', field: 'body' })
      const fault = faultOf(form, input)
      if (fault) return faultAnswer(fault)
      return submit(readTask(form, input), {
        fake: { payload: typeof input.payload === 'string' ? input.payload : '' },
        newId: newTaskId,
        accepted: (generation, toldId) => createdAnswer(input, generation, toldId),
        unfit: () => faultAnswer({ reason: 'FieldInvalid', field: 'nothing that can be rendered here' }),
      })
    },
    'GET /credits': () => creditsAnswer,
    'GET /tasks': ({ deps, request }) => listTasks(deps, new URL(request.url).searchParams),
    'GET /tasks/:id/creations'({ params: { id = '' }, find, read }) {
      const generation = find(id)
      return generation ? { status: 200, body: taskOf(read(generation), generation) } : noSuchTask
    },
    'POST /tasks/:id/cancel'({ params: { id = '' }, find, cancel }) {
      const generation = find(id)
      if (!generation) return noSuchTask
      const answer = cancel(generation, ['queued'])
      if (answer instanceof Response) return answer
      return answer === 'taken' ? { status: 200, body: {} } : notCancelled(generation)
    },
  },
}

/** Digits, as Vidu's: more than a number of JSON holds. */
const newTaskId = (): string => String(900_000_000_000_000_000n + (crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n) / 256n)

/** A checked task as the simulator's own request. Its `client_task_id` is made up: Vidu knows a task by its own id alone. */
function readTask({ path }: TaskForm, input: Input) {
  const images = (input.images ?? []) as string[]
  const isReference = path === 'reference2video'
  const [first, last] = isReference ? [] : images
  return requestOf({
    client_task_id: `vidu_${crypto.randomUUID()}`,
    model: String(input.model),
    prompt: input.prompt as string | undefined,
    duration_seconds: Number(input.duration ?? 5),
    resolution: String(input.resolution ?? '720p'),
    aspect_ratio: first ? 'adaptive' : String(input.aspect_ratio ?? '16:9'),
    // 0 is the word for a seed of Vidu's own choice.
    seed: (input.seed as number | undefined) || undefined,
    generate_audio: (input.audio as boolean | undefined) ?? true,
    watermark: input.watermark as boolean | undefined,
    first_frame_url: first,
    last_frame_url: last,
    reference_images: isReference ? images : undefined,
    callback_url: input.callback_url as string | undefined,
  })
}

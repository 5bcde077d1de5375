import { type Fields, isFields } from '../engine/fields'
import { keyOfScheme, type Provider, refusalsOf } from '../engine/provider'
import { refuse } from '../errors'
import {
  acceptedAnswer,
  badKey,
  canceledAnswer,
  invalid,
  notAsynchronous,
  notPending,
  ownFault,
  refusals,
  taskAnswer,
  unknownModel,
  unknownTask,
} from './answers'
import { faultOf, formOf } from './forms'
import { readSubmit } from './read-submit'

/** DashScope's API, in the place of https://dashscope.aliyuncs.com/api/v1. */
export const dashScope: Provider = {
  name: 'dashscope',
  prefix: '/dashscope/api/v1',
  keyFault: keyOfScheme('Bearer', badKey),
  refusal: (reason, { params }) => (reason === 'not_found' ? unknownTask(params.id ?? '') : refusalOf(reason)),
  cutJson: '{"output":{',
  routes: {
    async 'POST /services/aigc/video-generation/video-synthesis'({ request, json, submit }) {
      if (request.headers.get('x-dashscope-async') !== 'enable') return notAsynchronous
      const body = await json()
      const read = body && readBody(body)
      if (!read) return invalid('Required body invalid, please check the request body format.')
      if ('status' in read) return read
      return submit(read, {
        newId: () => crypto.randomUUID(),
        accepted: (_, toldId) => acceptedAnswer(toldId),
        unfit: () => invalid('Nothing that can be rendered here'),
      })
    },
    // 200 and UNKNOWN for what was not submitted in this format.
    'GET /tasks/:id'({ params: { id = '' }, find, read }) {
      const generation = find(id)
      if (!generation) throw refuse('not_found')
      return taskAnswer(read(generation), generation)
    },
    'POST /tasks/:id/cancel'({ params: { id = '' }, find, cancel }) {
      const generation = find(id)
      const answer = generation ? cancel(generation, ['queued']) : 'refused'
      if (answer instanceof Response) return answer
      return answer === 'taken' ? canceledAnswer() : notPending
    },
  },
}

const refusalOf = refusalsOf(refusals, ownFault)

function readBody({ model, input, parameters = {}, ...rest }: Fields) {
  const form = formOf(model)
  if (!form) return unknownModel
  const [odd] = Object.keys(rest)
  if (odd) return invalid(`${odd} is not taken`)
  if (!isFields(input) || !isFields(parameters)) return invalid('Field required: input')
  const given = { model: form.model, input, parameters }
  const fault = faultOf(form, given)
  return fault ? invalid(fault) : readSubmit(form, given)
}

import type { Schema } from '../../rules/json-schema'
import type { AnswerExamples } from './answer-examples'
import { type Answer, ok, openAiShape, refusals } from './answers'
import type { Operation } from './error-codes'
import { taskIdExample } from './error-examples'
import { refsTo, usualHeaders } from './headers'
import { parameters } from './parameters'
import { ref } from './schemas/shape'
import { tags } from './tags'

const prefix = '/openai/v1'
/** These paths are not below the API's own. */
const servers = [{ url: '/', description: 'The host that this document is from.' }]

const operation = (operationId: Operation, summary: string, description: string, responses: Record<string, Answer>, more: Schema = {}) => ({
  ...{ operationId, tags: [tags.openai.name], summary, description, servers },
  ...more,
  responses: { ...responses, ...refusals(operationId, openAiShape) },
})

const noRetry = (answers: ReturnType<typeof operation>): Schema => {
  const { 409: conflict } = answers.responses
  return conflict
    ? {
        ...answers,
        responses: { ...answers.responses, 409: { ...conflict, headers: { ...conflict.headers, ...refsTo('X-Should-Retry') } } },
      }
    : answers
}

const file = { schema: { type: 'string', format: 'binary' } }

const byId = { parameters: [parameters.taskId(taskIdExample)] }

/** The routes under /openai/v1, for clients of OpenAI's videos API. */
export const openAiPaths = ({ video, videos, videoDeleted, openAiModels, openAiModel }: AnswerExamples): Schema => ({
  [`${prefix}/videos`]: {
    post: noRetry(
      operation(
        'createOpenAiVideo',
        'Generate a video as OpenAI’s clients ask for one',
        'By the same admission as POST /video/generations. Without an Idempotency-Key a retry of the client (`x-stainless-retry-count` above 0, the same key and body within 15 minutes) joins the request that it repeats: it is charged once.',
        { '200': ok('The video.', 'OpenAiVideo', video, 'OpenAI-Poll-After-Ms', 'Retry-After', 'Idempotent-Replayed') },
        {
          parameters: [{ ...parameters.idempotencyKey, required: false }, parameters.retryCount, parameters.tags, parameters.cancelAfter],
          requestBody,
        },
      ),
    ),
    get: operation(
      'listOpenAiVideos',
      'List videos as OpenAI’s clients do',
      "The account's tasks of the API, newest first.",
      { '200': ok('A page of videos.', 'OpenAiVideoList', videos) },
      { parameters: parameters.openAiPaging },
    ),
  },
  [`${prefix}/videos/{id}`]: {
    get: operation(
      'getOpenAiVideo',
      'Read a video',
      'The task in OpenAI’s shape. Ask again after OpenAI-Poll-After-Ms.',
      { '200': ok('The video.', 'OpenAiVideo', video, 'OpenAI-Poll-After-Ms', 'Retry-After') },
      byId,
    ),
    delete: noRetry(
      operation(
        'deleteOpenAiVideo',
        'Delete a video',
        'Deletes the files of a video that has ended. Every read answers as for an unknown task afterwards; its Idempotency-Key still returns the task, and its usage records stay.',
        { '200': ok('It is deleted.', 'OpenAiVideoDeleted', videoDeleted) },
        byId,
      ),
    ),
  },
  [`${prefix}/videos/{id}/content`]: {
    get: operation(
      'getOpenAiVideoContent',
      'Download a video',
      'Leads to the video, or with `variant=thumbnail` to its poster. OpenAI’s clients follow.',
      {
        '200': { description: 'The MP4 or JPEG, for a client that follows.', content: { 'application/octet-stream': file } },
        '302': { description: 'Where the file is.', headers: { ...usualHeaders, ...refsTo('Location') } },
      },
      { parameters: [...byId.parameters, parameters.variant] },
    ),
  },
  [`${prefix}/models`]: {
    get: operation('listOpenAiModels', 'List models as OpenAI’s clients do', 'The models that can be had, by name.', {
      '200': ok('The models.', 'OpenAiModelList', openAiModels),
    }),
  },
  [`${prefix}/models/{id}`]: {
    get: operation(
      'getOpenAiModel',
      'Read a model',
      'A model that can be had.',
      { '200': ok('The model.', 'OpenAiModel', openAiModel) },
      { parameters: [parameters.modelId] },
    ),
  },
})

const requestBody: Schema = {
  required: true,
  description: 'What to generate.',
  content: {
    'application/json': { schema: ref('OpenAiVideoBody') },
    'multipart/form-data': { schema: ref('OpenAiVideoForm') },
  },
}

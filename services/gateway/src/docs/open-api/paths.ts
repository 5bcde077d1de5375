import type { Schema } from '../../rules/json-schema'
import type { AnswerExamples } from './answer-examples'
import { type Answer, csv, eventStream, ok, refusals } from './answers'
import { taskIdExample, uploadIdExample } from './error-examples'
import { refsTo, usualHeaders } from './headers'
import { openAiPaths } from './openai-paths'
import { parameters } from './parameters'
import { ref } from './schemas/shape'
import { tags } from './tags'
import { webhookPaths } from './webhook-paths'

/** The paths of the API. `requestBody` is made from the cards, and so are the examples. */
export const paths = (requestBody: Schema, examples: AnswerExamples): Schema => ({
  ...generationPaths(requestBody, examples),
  ...taskPaths(examples),
  ...uploadPaths(examples),
  ...accountPaths(examples),
  ...usagePaths(examples),
  ...webhookPaths,
  ...openAiPaths(examples),
})

const generationPaths = (requestBody: Schema, { task, completed, estimate }: AnswerExamples): Schema => ({
  '/video/generations': {
    post: {
      operationId: 'createVideoGeneration',
      tags: [tags.videos.name],
      summary: 'Generate a video',
      description:
        'Reserves credits, checks the media and hands the generation to a provider. The first answer can take minutes: allow a read timeout of 260 seconds. After a 503 or a timeout send the identical body with the same Idempotency-Key.',
      parameters: [parameters.idempotencyKey, parameters.tags, parameters.cancelAfter],
      requestBody,
      responses: {
        '202': ok('A new task was accepted.', 'VideoTask', task, 'Retry-After'),
        '200': ok('The task that this Idempotency-Key is bound to.', 'VideoTask', completed, 'Idempotent-Replayed', 'Retry-After'),
        ...refusals('createVideoGeneration'),
      },
    },
  },
  '/video/estimate': {
    post: {
      operationId: 'estimateVideo',
      tags: [tags.videos.name],
      summary: 'Estimate the credits of a request',
      description:
        'The same check and the same price as a generation. Nothing is downloaded, charged or made. `available` says whether a provider of the model is configured.',
      requestBody,
      responses: {
        '200': ok('The price and the request with defaults applied.', 'Estimate', estimate),
        ...refusals('estimateVideo'),
      },
    },
  },
})

const taskPaths = ({ task, completed, tasks, events, cancelled }: AnswerExamples): Schema => ({
  '/tasks/{id}': {
    get: {
      operationId: 'getVideoGeneration',
      tags: [tags.videos.name],
      summary: 'Read a task',
      description:
        'The durable state of a task. Poll no faster than every 10 seconds, or hold the read with `Prefer: wait=N`. While the task is processing the answer carries Retry-After.',
      parameters: [parameters.taskId(taskIdExample), parameters.prefer],
      responses: {
        '200': ok('The task.', 'VideoTask', completed, 'Retry-After', 'Preference-Applied'),
        ...refusals('getVideoGeneration'),
      },
    },
  },
  '/tasks/{id}/events': {
    get: {
      operationId: 'listVideoGenerationEvents',
      tags: [tags.videos.name],
      summary: 'Follow a task',
      description:
        'What happened to a task, oldest first. With `Accept: text/event-stream` the answer is a stream of server-sent events, each with an event as its data, which ends after the last event of the task (`completed` or `refunded`). A stream counts as one request. Where it breaks or is ended, ask again with `Last-Event-ID`: nothing is lost or repeated. 204 says that nothing comes after that event.',
      parameters: [parameters.taskId(taskIdExample), parameters.lastEventId],
      responses: {
        '200': withContent(ok('The events.', 'TaskEventList', events, 'Retry-After'), eventStream(events.data)),
        '204': { description: 'The task has no later events.', headers: usualHeaders },
        ...refusals('listVideoGenerationEvents'),
      },
    },
  },
  '/tasks/{id}/cancel': {
    post: {
      operationId: 'cancelVideoGeneration',
      tags: [tags.videos.name],
      summary: 'Cancel a task',
      description:
        'Ends a task that no provider has, and returns its credits at once. A provider that offers it is asked to cancel: the task ends as `cancelled` when the provider says so, and is charged if the provider completes it. Send no body, or `{}`. Repeating it changes nothing.',
      parameters: [parameters.taskId(taskIdExample)],
      requestBody: {
        required: false,
        content: { 'application/json': { schema: { type: 'object', additionalProperties: false }, example: {} } },
      },
      responses: {
        '200': ok('The task, ended by the cancel.', 'VideoTask', cancelled),
        '202': ok('The provider has been asked. Read the task for what comes of it.', 'VideoTask', task, 'Retry-After'),
        ...refusals('cancelVideoGeneration'),
      },
    },
  },
  '/tasks/{id}/download': {
    get: {
      operationId: 'downloadVideo',
      tags: [tags.videos.name],
      summary: 'Download a video as a file',
      description:
        'Leads to a URL that is saved as a file named after the task, and works for five minutes without an API key: hand it to a browser. `video_url` has the same name, and is shown instead of saved.',
      parameters: [parameters.taskId(taskIdExample)],
      responses: {
        '302': { description: 'The file is at Location.', headers: { ...usualHeaders, ...refsTo('Location') } },
        ...refusals('downloadVideo'),
      },
    },
  },
  '/tasks': {
    get: {
      operationId: 'listVideoGenerations',
      tags: [tags.videos.name],
      summary: 'List tasks',
      description:
        "The account's tasks, newest first. With `idempotency_key` it finds the task of a POST whose answer was lost, without sending it again.",
      parameters: [parameters.status, parameters.tag, parameters.boundKey, ...parameters.paging(20, 100)],
      responses: { '200': ok('A page of tasks.', 'VideoTaskList', tasks), ...refusals('listVideoGenerations') },
    },
  },
})

const uploadPaths = ({ openedUpload, upload }: AnswerExamples): Schema => ({
  '/uploads': {
    post: {
      operationId: 'createUpload',
      tags: [tags.uploads.name],
      summary: 'Upload a file',
      description:
        'Answers with a signed PUT that takes exactly this type and length for 15 minutes. Send the file there with `put_headers` and without your API key. Then name `url` in `image_url`, `end_image_url` or a `reference_…_urls` of your requests. An upload is private to the account and deleted after a day. Within a day an account has room for 1 GiB, and for more with paid credits; within an hour for 120 files.',
      requestBody: {
        required: true,
        description: 'What will be uploaded.',
        content: { 'application/json': { schema: ref('NewUpload'), example: { type: 'image/png', bytes: 481_203 } } },
      },
      responses: { '201': ok('Where to put the file.', 'OpenedUpload', openedUpload), ...refusals('createUpload') },
    },
  },
  '/uploads/{id}': {
    get: {
      operationId: 'getUpload',
      tags: [tags.uploads.name],
      summary: 'Read an upload',
      description:
        'Whether the file has arrived, and what checking it found. A request may name an upload that still waits: it is then checked with the request. The limits of a model are checked with the request in any case.',
      parameters: [parameters.uploadId(uploadIdExample)],
      responses: { '200': ok('The upload.', 'Upload', upload, 'Retry-After'), ...refusals('getUpload') },
    },
  },
})

const withContent = (answer: Answer, content: Schema): Answer => ({ ...answer, content: { ...answer.content, ...content } })

const accountPaths = ({ balance, apiKey, models }: AnswerExamples): Schema => ({
  '/credits': {
    get: {
      operationId: 'getPaidCreditBalance',
      tags: [tags.account.name],
      summary: 'Read the paid balance',
      description: 'Paid credits that the API may spend. Starter credits are not among them.',
      responses: { '200': ok('The balance.', 'CreditBalance', balance), ...refusals('getPaidCreditBalance') },
    },
  },
  '/keys/self': {
    get: {
      operationId: 'getApiKey',
      tags: [tags.account.name],
      summary: 'Read your API key',
      description:
        'The key that asks: its limits, its budgets, and the credits it spent. Days and months of `spend` are of UTC. A refund lowers the day on which the credits were taken.',
      responses: { '200': ok('The key.', 'ApiKey', apiKey), ...refusals('getApiKey') },
    },
  },
  '/models': {
    get: {
      operationId: 'listModels',
      tags: [tags.models.name],
      summary: 'List models',
      description:
        'Every model with the schemas and rules that requests are checked by, its media limits and prices, and whether it can be had. What no configured provider has of a model is left out. Ask again with If-None-Match.',
      parameters: [parameters.ifNoneMatch],
      responses: {
        '200': ok('The catalog.', 'ModelList', models, 'ETag'),
        '304': { description: 'The answer you have is the current one.', headers: { ...usualHeaders, ...refsTo('ETag') } },
        ...refusals('listModels'),
      },
    },
  },
})

const usagePaths = ({ usage, usageCsv, summary, summaryCsv }: AnswerExamples): Schema => {
  const records = ok('A page of records.', 'UsageList', usage, 'Link')
  const sums = ok('The sums.', 'UsageSummary', summary)
  return {
    '/usage': {
      get: {
        operationId: 'listUsage',
        tags: [tags.account.name],
        summary: 'List usage records',
        description:
          'What was charged and what came back, newest first. What members spend in the console is there without its tasks. CSV with `Accept: text/csv`; the next page is then in the Link header.',
        parameters: [...parameters.span, ...parameters.paging(50, 500)],
        responses: { '200': withContent(records, csv(usageCsv)), ...refusals('listUsage') },
      },
    },
    '/usage/summary': {
      get: {
        operationId: 'summarizeUsage',
        tags: [tags.account.name],
        summary: 'Sum usage',
        description:
          'By day and model, or by what `by` names. Days are of UTC. Without from, the 30 days before to; without to, until now; at most 400 days. CSV with `Accept: text/csv`.',
        parameters: [...parameters.span, parameters.by],
        responses: { '200': withContent(sums, csv(summaryCsv)), ...refusals('summarizeUsage') },
      },
    },
  }
}

/** Programs as users of each generator write them. `REQUEST` is the body of the README's first request, word for word. */

const environment = `declare const process: { env: Record<string, string> }
const { FILMGATE_URL, FILMGATE_API_KEY } = process.env
`

export const openapiTypescript = (request: string) => `import createClient from 'openapi-fetch'
import type { components, paths } from './schema'

${environment}
type VideoGenerationRequest = components['schemas']['VideoGenerationRequest']
const body: VideoGenerationRequest = ${request}
// @ts-expect-error alpha-h3 takes no seed
export const refused: VideoGenerationRequest = { model: 'alpha-h3', prompt: 'A boat', seed: 1 }
// @ts-expect-error there is no such model
export const unknown: VideoGenerationRequest = { model: 'alpha-h4', prompt: 'A boat' }

const client = createClient<paths>({ baseUrl: FILMGATE_URL, headers: { Authorization: \`Bearer \${FILMGATE_API_KEY}\` } })
const estimate = await client.POST('/video/estimate', { body })
const made = await client.POST('/video/generations', { body, params: { header: { 'Idempotency-Key': crypto.randomUUID() } } })
if (!made.data) throw new Error(made.error.error.code)
let task = made.data
while (task.status === 'processing') {
  const read = await client.GET('/tasks/{id}', { params: { path: { id: task.id }, header: { Prefer: 'wait=10' } } })
  if (!read.data) throw new Error(read.error.error.message)
  task = read.data
}
if (estimate.data?.credits !== task.credits_used) throw new Error('the estimate is not the charge')
console.log(JSON.stringify(task))
`

export const heyApi = (
  request: string,
) => `import { createVideoGeneration, estimateVideo, getVideoGeneration, type VideoGenerationRequest } from './generated'
import { client } from './generated/client.gen'

${environment}
const body: VideoGenerationRequest = ${request}
// @ts-expect-error alpha-h3 takes no seed
export const refused: VideoGenerationRequest = { model: 'alpha-h3', prompt: 'A boat', seed: 1 }

client.setConfig({ baseUrl: FILMGATE_URL, auth: () => FILMGATE_API_KEY })
const estimate = await estimateVideo({ body })
const made = await createVideoGeneration({ body, headers: { 'Idempotency-Key': crypto.randomUUID() } })
if (!made.data) throw new Error(made.error.error.code)
let task = made.data
while (task.status === 'processing') {
  const read = await getVideoGeneration({ path: { id: task.id }, headers: { Prefer: 'wait=10' } })
  if (!read.data) throw new Error(read.error.error.message)
  task = read.data
}
if (estimate.data?.credits !== task.credits_used) throw new Error('the estimate is not the charge')
console.log(JSON.stringify(task))
`

export const python = (request: string) => `import json
import os
import uuid

from filmgate_client import AuthenticatedClient
from filmgate_client.api.videos import create_video_generation, estimate_video, get_video_generation
from filmgate_client.models import AlphaH3Request, Estimate, TaskStatus, VideoTask

client = AuthenticatedClient(base_url=os.environ["FILMGATE_URL"], token=os.environ["FILMGATE_API_KEY"], timeout=260)
body = AlphaH3Request.from_dict(json.loads(${JSON.stringify(request)}))
estimate = estimate_video.sync(client=client, body=body)
task = create_video_generation.sync(client=client, body=body, idempotency_key=str(uuid.uuid4()))
assert isinstance(estimate, Estimate) and isinstance(task, VideoTask), task
while task.status == TaskStatus.PROCESSING:
    task = get_video_generation.sync(task.id, client=client, prefer="wait=10")
    assert isinstance(task, VideoTask), task
assert task.credits_used == estimate.credits_
print(json.dumps(task.to_dict()))
`

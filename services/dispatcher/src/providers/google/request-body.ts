import { invariant } from '@filmgate/kit/failure'
import type { Submission } from '../connector'
import { requestFields } from '../mapping/request-fields'
import { ownLabel } from './wire'

type Fields = Record<string, unknown>

/**
 * A submission for `models/<model>:predictLongRunning`, as @google/genai 2.32.0 writes it (generateVideosParametersToMldev): what a video
 * is made of is its one instance, everything else parameters.
 */
export function operationBody({ order, mapping, media, callbackUrl }: Submission): Fields {
  const { prompt, image, lastFrame, referenceImages, ...parameters } = requestFields(mapping, order, media)
  const instance = {
    prompt,
    ...(image !== undefined && { image: bytesOf(image) }),
    ...(lastFrame !== undefined && { lastFrame: bytesOf(lastFrame) }),
    ...(referenceImages !== undefined && {
      referenceImages: listOf(referenceImages).map(one => ({ image: bytesOf(one), referenceType: 'asset' })),
    }),
  }
  return {
    instances: [instance],
    parameters: { sampleCount: 1, ...parameters },
    ...(callbackUrl && { webhookConfig: { uris: [callbackUrl] } }),
  }
}

/**
 * A submission for `interactions`: ai.google.dev/gemini-api/docs/omni and google-genai 3.4.0 (CreateModelInteractionParam). Without
 * `background` the answer would wait for the video, and without `delivery` hold it; only what is stored can be asked for again.
 */
export function interactionBody({ attemptId, providerModel, order, mapping, media, callbackUrl }: Submission): Fields {
  const { prompt, first_frame: first, last_frame: last, images = [], task, ...format } = requestFields(mapping, order, media)
  const frames = [first, last].filter(one => one !== undefined)
  const references = listOf(images)
  return {
    model: providerModel,
    input: [
      ...[...frames, ...references].map(imageContent),
      { type: 'text', text: [...declared(frames.length, references.length), prompt].join(' ') },
    ],
    response_format: { type: 'video', delivery: 'uri', ...format },
    ...(task !== undefined && { generation_config: { video_config: { task } } }),
    background: true,
    store: true,
    labels: { [ownLabel]: attemptId },
    ...(callbackUrl && { webhook_config: { uris: [callbackUrl] } }),
  }
}

/** Which picture is what stands at the beginning of the prompt (omni, “Using tags in prompts”); undeclared, the model guesses. */
function declared(frames: number, references: number): string[] {
  const sources = ['<FIRST_FRAME>@Image1', '<LAST_FRAME>@Image2'].slice(0, frames)
  const images = Array.from({ length: references }, (_, at) => `<IMAGE_REF_${at}>@Image${frames + at + 1}`)
  return [
    ...(sources.length > 0 ? [`[# Sources ${sources.join(' ')}]`] : []),
    ...(images.length > 0 ? [`[# References ${images.join(' ')}]`] : []),
  ]
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

const imageContent = (url: unknown) => {
  const { mimeType, data } = inlineOf(url)
  return { type: 'image', mime_type: mimeType, data }
}

const bytesOf = (url: unknown) => {
  const { mimeType, data } = inlineOf(url)
  return { bytesBase64Encoded: data, mimeType }
}

/** A picture that was read for this submit. Its text may be long: no pattern runs over all of it. */
function inlineOf(url: unknown): { mimeType: string; data: string } {
  const text = typeof url === 'string' ? url : ''
  const comma = text.indexOf(',')
  const [, mimeType] = /^data:(image\/[a-z]+);base64$/.exec(text.slice(0, Math.max(0, comma))) ?? []
  invariant(mimeType, 'a picture for Google was read before its submit')
  return { mimeType, data: text.slice(comma + 1) }
}

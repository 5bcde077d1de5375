import { invariant } from '@filmgate/kit/failure'
import type { Submission } from '../connector'
import { type Nested, nested } from '../mapping/nested'
import { requestFields } from '../mapping/request-fields'
import { taskUuidOf } from './task-uuid'

/**
 * A submission as a task of Runware's: runware.ai/docs/models/<model>, “API options” and “Request parameters”. A route's fields say where they
 * stand (`settings.audio`); `size` is width and height at once, because each ratio has one pair of them at each resolution; first and last
 * frame are entries of one list.
 */
export function requestTask({ attemptId, providerModel, order, mapping, media, callbackUrl }: Submission): Nested {
  const { size, 'inputs.frameImages.first': first, 'inputs.frameImages.last': last, ...fields } = requestFields(mapping, order, media)
  const frameImages = [
    ...(first === undefined ? [] : [{ image: first, frame: 'first' }]),
    ...(last === undefined ? [] : [{ image: last, frame: 'last' }]),
  ]
  return nested({
    taskType: 'videoInference',
    taskUUID: taskUuidOf(attemptId),
    model: providerModel,
    deliveryMethod: 'async',
    outputType: 'URL',
    outputFormat: 'MP4',
    numberResults: 1,
    includeCost: true,
    ...(callbackUrl && { webhookURL: callbackUrl }),
    ...fields,
    ...(size !== undefined && sides(size)),
    ...(frameImages.length > 0 && { 'inputs.frameImages': frameImages }),
  })
}

function sides(size: unknown): { width: number; height: number } {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(String(size)) ?? []
  invariant(width && height, `a route’s size is <width>x<height>, not ${size}`)
  return { width: Number(width), height: Number(height) }
}

import type { Submission } from '../connector'
import { requestFields } from '../words/request-fields'

/** A submission as a GenerateVideoRequest of xAI's OpenAPI document: a route's fields as they are, and each address as an object that holds it. */
export function requestBody({ providerModel, order, words, media }: Submission): Record<string, unknown> {
  const { image, reference_images: references, ...fields } = requestFields(words, order, media)
  return {
    model: providerModel,
    ...fields,
    ...(image !== undefined && { image: { url: image } }),
    ...(references !== undefined && { reference_images: [references].flat().map(url => ({ url })) }),
  }
}

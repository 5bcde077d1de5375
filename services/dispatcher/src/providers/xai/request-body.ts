import type { Submission } from '../connector'
import { requestFields } from '../mapping/request-fields'

/** A submission as a GenerateVideoRequest of xAI's OpenAPI document: a route's fields as they are, and each address as an object that holds it. */
export function requestBody({ providerModel, order, mapping, media }: Submission): Record<string, unknown> {
  const { image, reference_images: references, ...fields } = requestFields(mapping, order, media)
  return {
    model: providerModel,
    ...fields,
    ...(image !== undefined && { image: { url: image } }),
    ...(references !== undefined && { reference_images: [references].flat().map(url => ({ url })) }),
  }
}

import type { VideoGenerationRequest } from '@filmgate/client'
import type { Body } from '../request/read-request'

/** The API checks the fields against the card of the model, and says what is wrong with each. */
export const asRequest = (body: Body) => body as unknown as VideoGenerationRequest

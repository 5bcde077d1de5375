import type { Schemas } from './document'
import { type Declaration, type ErrorDetails, readAnswers, readErrorDetails } from './read-answers'
import { type RequestModel, readRequests, type Vocabulary } from './read-requests'

/** The document as the emitters need it. */
export type Contract = { models: RequestModel[]; vocabulary: Vocabulary; answers: Declaration[]; errorDetails: ErrorDetails[] }

export function readContract(schemas: Schemas): Contract {
  const answers = readAnswers(schemas)
  return { ...readRequests(schemas), answers, errorDetails: readErrorDetails(schemas, answers) }
}

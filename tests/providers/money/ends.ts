import type { End, Offers } from '../matrix/faults'

/** Whether that a provider finds nothing under our id says that there is nothing. */
export const isSure = ({ look_up: lookUp }: Offers) => lookUp === 'own-id'
/** Whether what it accepted is found after its answer was lost. */
export const isFound = ({ look_up: lookUp, callback }: Offers) =>
  lookUp === 'own-id' || lookUp === 'own-id-if-found' || callback === 'signed'

export const completed = (): End => 'completed'
export const foundOrReview = (offers: Offers): End => (isFound(offers) ? 'completed' : 'review')
export const absentOrReview = (offers: Offers): End => (isSure(offers) ? 'generation_unavailable' : 'review')

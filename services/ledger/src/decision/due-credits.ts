import { creditsOf, type Reservation } from '../books/reservation'

/** How many credits a completion leaves to be returned. What is due is never less than nothing, nor more than what is held. */
export function undeliveredCredits(reservation: Reservation, dueCredits: number | undefined): number {
  const held = creditsOf(reservation)
  return held - Math.min(Math.max(dueCredits ?? held, 0), held)
}

/**
 * What is wrong with the price that a completion brings, in words; undefined where nothing is. A video is never free: of 0 credits or less
 * nothing is charged. The first price stands: one that is delivered later, and differs, changes nothing.
 */
export function dueCreditsFault(reservation: Reservation, dueCredits: number | undefined): string | undefined {
  if (dueCredits === undefined) return undefined
  const held = creditsOf(reservation)
  if (reservation.state === 'settled') {
    const charged = held - reservation.refunded
    return held - undeliveredCredits(reservation, dueCredits) === charged
      ? undefined
      : `completed again with ${dueCredits} credits due, after ${charged} of ${held} were charged`
  }
  return dueCredits >= 1 && dueCredits <= held ? undefined : `completed with ${dueCredits} credits due of ${held} reserved`
}

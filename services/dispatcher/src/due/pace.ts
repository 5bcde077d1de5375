/** Calls in a row without a usable answer, each about another attempt, that open a provider's breaker: more than one poll of many attempts makes at a time. */
export const opensAfter = 20
/** An open breaker lets one attempt through after the first, and after twice as long each time, up to the longest. */
export const probeFirstMs = 5_000
export const probeMaxMs = 30_000
/** What a provider that was asked about little may be asked about at once: so much of its time. */
export const burstMs = 1_000
/** A provider that says that it is asked too often, and not until when, is left alone for so long. */
export const busyMs = 2_000
/** A provider's word on when to come again is believed up to this. */
export const retryAfterMaxMs = 300_000
/** How long another dispatcher's word on what it asks about counts. */
export const askerMs = 10_000
/** What has no place at its provider looks for one after this, and each time after as long as it has waited. */
export const placeFirstMs = 250

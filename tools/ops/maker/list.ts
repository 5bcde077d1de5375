import type { Call, Json } from '../operator-api'

/** The configured makers, and whether what each doesn't know of is believed: they are asked as this is. */
export const makerList = async (call: Call) => ((await call('dispatcher', 'GET', '/makers')) as { data: Json[] }).data

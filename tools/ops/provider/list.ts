import type { Call, Json } from '../operator-api'

/** The providers of the routes: which are on, whether each takes our key and what it doesn't know of is believed, what it serves and lacks. They are asked as this is. */
export const providerList = async (call: Call) => ((await call('dispatcher', 'GET', '/providers')) as { data: Json[] }).data

import { listOf } from '@filmgate/proto/operator/answer'
import { Maker } from '@filmgate/proto/operator/maker'
import { type Call, callFor } from '../operator-api'

/** The makers of the routes: which are on, whether each takes our key and what it doesn't know of is believed, what it serves and lacks. They are asked as this is. */
export const makerList = async (call: Call) => (await callFor(call, listOf(Maker), 'dispatcher', 'GET', '/makers')).data

import type { Call } from '../operator-api'

export const reviewList = (call: Call) => call('gateway', 'GET', '/reviews')

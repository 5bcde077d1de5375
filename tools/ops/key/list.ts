import type { Call } from '../operator-api'

export const keyList = (call: Call, input: { accountId: string }) =>
  call('gateway', 'GET', `/accounts/${encodeURIComponent(input.accountId)}/keys`)

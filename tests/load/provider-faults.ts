import type { Behaviour } from '../support/simulator'

/** What the provider does to one submit in twenty-five each; to the rest it is honest. All are quick, so that many can be seen. */
export const providerFaults: Behaviour[][] = [
  [{ name: 'refuse', code: 'too_many_requests' }],
  [{ name: 'refuse_content' }],
  [{ name: 'drop_before_accept' }],
  [{ name: '500_before_accept' }],
  [{ name: 'accept_then_drop' }],
  [{ name: 'accept_then_500' }, { name: 'lookup_lags', delay_ms: 2_000 }],
  [{ name: 'bad_json' }, { name: 'lookup_500', times: 2 }],
  [{ name: 'accept_late', delay_ms: 4_500 }],
  [{ name: 'wrong_id', of: 'another' }],
  [{ name: 'read_500', times: 2 }],
  [{ name: 'unknown_status', times: 2 }],
  [{ name: 'completed_then_processing' }],
  [{ name: 'fails_after_accept', delay_ms: 200 }],
  [{ name: 'moderated' }],
  [{ name: 'output_404' }],
  [{ name: 'output_truncated', times: 2 }],
  [{ name: 'output_status', status: 503, times: 2 }],
  [{ name: 'output_wrong_type' }],
  [{ name: 'slow', delay_ms: 3_000 }],
]
export const faultProbability = 1 / 25

import type { Behaviour } from '../../support/simulator'

/** What a provider declares that it offers, as the dispatcher's operators see it. */
export type Offers = {
  own_id: 'idempotent' | 'echoed' | 'none'
  look_up: 'own-id' | 'own-id-if-found' | 'ended-only' | 'none'
  callback: 'signed' | 'unsigned' | 'none'
  visibility_ms: number
}

/** The task in the end: settled, held until an operator ends it, or refunded with that code. */
export type End =
  | 'completed'
  | 'review'
  | 'prompt_rejected'
  | 'generation_unavailable'
  | 'generation_failed'
  | 'output_moderated'
  | 'output_unavailable'

/** What the POST is answered with that began it. */
export type Answer = 'accepted' | 'uncertain' | 'unavailable' | 'rejected'

export type Fault = {
  behaviours: Behaviour[]
  /** Any of several where a provider's form decides which; each then ends as is said. */
  answer: Answer | Answer[] | ((offers: Offers) => Answer[])
  end: End | End[] | ((offers: Offers) => End | End[])
  /** It takes up what was submitted last: nothing else may be under way, and that has to be a video of the same provider's. */
  alone?: boolean
}

const accepted = (end: Fault['end'], ...behaviours: Behaviour[]): Fault => ({ behaviours, answer: 'accepted', end })
const uncertain = (end: Fault['end'], ...behaviours: Behaviour[]): Fault => ({ behaviours, answer: 'uncertain', end })
const refused = (code: string): Fault => ({ behaviours: [{ name: 'refuse', code }], answer: 'unavailable', end: 'generation_unavailable' })

const looksUp = ({ look_up: lookUp }: Offers): boolean => lookUp === 'own-id' || lookUp === 'own-id-if-found'
/** It was accepted and nobody knows: our own id finds it, or the provider's signed word; else a person has to. */
const found = (offers: Offers): End => (looksUp(offers) || offers.callback === 'signed' ? 'completed' : 'review')
/** The same where no signed word comes. */
const foundByOwnId = (offers: Offers): End => (looksUp(offers) ? 'completed' : 'review')
/** A signed word that its provider can't be asked about is asked about again later: it may be held until then. */
const foundLater = (offers: Offers): End | End[] =>
  !looksUp(offers) && offers.callback === 'signed' ? ['completed', 'review'] : foundByOwnId(offers)
/** An acceptance that nobody told us of. Where a look-up finds it while the POST still waits, the POST is answered with it. */
const lost = (end: Fault['end'], ...behaviours: Behaviour[]): Fault => ({
  behaviours,
  answer: offers => (looksUp(offers) ? ['uncertain', 'accepted'] : ['uncertain']),
  end,
})
/** Nothing is there. Only a look-up whose silence means something says so; every other provider may still have it. */
const absent =
  (code: 'generation_unavailable' | 'generation_failed') =>
  (offers: Offers): End =>
    offers.look_up === 'own-id' ? code : 'review'

const nowhere = 'https://no-such-host.invalid'
const drop: Behaviour = { name: 'accept_then_drop' }

/** Everything that a provider of the simulator's repertoire may do, and what becomes of the task and its credits: by what the provider offers, and by nothing else. */
export const faults: Record<string, Fault> = {
  none: accepted('completed'),

  // While the submit is answered.
  'refuses the request': refused('invalid_request'),
  'refuses our key': refused('unauthorized'),
  'has no balance of ours left': refused('balance_exhausted'),
  'refuses us the model': refused('forbidden'),
  'is too busy': refused('too_many_requests'),
  'refuses the content': { behaviours: [{ name: 'refuse_content' }], answer: 'rejected', end: 'prompt_rejected' },
  'refuses with a fault of its own': uncertain(absent('generation_unavailable'), { name: 'refuse', code: 'internal_error' }),
  'cuts and has nothing': uncertain(absent('generation_unavailable'), { name: 'drop_before_accept' }),
  'answers 500 and has nothing': uncertain(absent('generation_unavailable'), { name: '500_before_accept' }),
  'accepts after we hung up': lost(found, { name: 'accept_late', delay_ms: 4_500 }),
  'accepts and cuts': lost(found, drop),
  'accepts and answers 500': lost(found, { name: 'accept_then_500' }),
  'accepts in broken JSON': lost(found, { name: 'bad_json' }),
  // Which answer it is depends on whether an acceptance names our id beside the provider's.
  'tells an id that is nobody’s': { behaviours: [{ name: 'wrong_id' }], answer: ['accepted', 'uncertain'], end: foundByOwnId },
  'tells another’s id': { ...lost(found, { name: 'wrong_id', of: 'another' }), alone: true },
  'takes no notice of our id': {
    behaviours: [{ name: 'ignore_token' }],
    answer: ['accepted', 'uncertain'],
    // A provider that knows a task by our id alone has lost it; one that has an id of its own finishes it.
    end: ({ own_id: ownId }) => (ownId === 'none' ? 'completed' : ['completed', 'review']),
  },

  // When it is looked up.
  'cuts, its look-up lags': lost(found, drop, { name: 'lookup_lags', delay_ms: 3_000 }),
  'cuts, its look-up breaks': lost(found, drop, { name: 'lookup_500', times: 3 }),
  'cuts, its reads break': lost(foundLater, drop, { name: 'read_500', times: 3 }),
  'cuts, and calls nobody back': lost(foundByOwnId, drop, { name: 'no_callback' }),
  'cuts, its callback has no signature': lost(foundByOwnId, drop, { name: 'callback_signature', is: 'none' }),
  'cuts, its callback is forged': lost(foundByOwnId, drop, { name: 'callback_signature', is: 'forged' }),
  'cuts, its callback is stale': lost(foundByOwnId, drop, { name: 'callback_signature', is: 'stale' }),
  'cuts, and never finishes': lost('review', drop, { name: 'never_finishes' }),
  'cuts, and fails': lost(offers => (found(offers) === 'completed' ? 'generation_failed' : 'review'), drop, {
    name: 'fails_after_accept',
  }),
  'cuts, and withholds it': lost(offers => (found(offers) === 'completed' ? 'output_moderated' : 'review'), drop, {
    name: 'moderated',
  }),
  'loses what it accepted': accepted(absent('generation_failed'), { name: 'never_finishes' }, { name: 'vanishes', delay_ms: 1_000 }),

  // While it runs and is polled.
  'answers polls with 500': accepted('completed', { name: 'read_500', times: 2 }),
  'has a word we don’t know': accepted('completed', { name: 'unknown_status', times: 2 }),
  'is done, and then isn’t': accepted('completed', { name: 'completed_then_processing' }),
  'is slow': accepted('completed', { name: 'slow', delay_ms: 4_000 }),
  'tells no cost': accepted('completed', { name: 'cost_told', as: null }),
  'tells a cost that is none': accepted('completed', { name: 'cost_told', as: 'much' }),
  'never finishes': accepted('review', { name: 'never_finishes' }),
  fails: accepted('generation_failed', { name: 'fails_after_accept' }),
  'fails late': accepted('generation_failed', { name: 'fails_after_accept', delay_ms: 3_000 }),
  'withholds the output': accepted('output_moderated', { name: 'moderated' }),
  'withholds the output late': accepted('output_moderated', { name: 'moderated', delay_ms: 3_000 }),
  'calls nobody back': accepted('completed', { name: 'no_callback' }),
  'calls back unsigned': accepted('completed', { name: 'callback_signature', is: 'none' }),
  'calls back forged': accepted('completed', { name: 'callback_signature', is: 'forged' }),
  'calls back stale': accepted('completed', { name: 'callback_signature', is: 'stale' }),

  // When its output is fetched.
  'its output is 404': accepted('output_unavailable', { name: 'output_404' }),
  'its output is 410': accepted('output_unavailable', { name: 'output_status', status: 410 }),
  'its output is 403': accepted('review', { name: 'output_status', status: 403 }),
  'its output is 500': accepted('review', { name: 'output_status', status: 500 }),
  'its output is 503 for a while': accepted('completed', { name: 'output_status', status: 503, times: 3 }),
  'its output has moved to another address': accepted('completed', { name: 'output_expired', times: 3 }),
  'its output has an address too old, each time': accepted('review', { name: 'output_expired', times: 1_000_000 }),
  'its output stalls': accepted('review', { name: 'output_stalls' }),
  'its output is where our DNS finds nothing': accepted('review', { name: 'output_elsewhere', origin: nowhere }),
  'its output is there after a while': accepted('completed', { name: 'output_elsewhere', origin: nowhere, delay_ms: 6_000 }),
  'its output redirects inside': accepted('review', { name: 'output_redirect' }),
  'its output redirects to a private network': accepted('review', { name: 'output_redirect', to: 'http://10.0.0.1/' }),
  'its output has no end': accepted('review', { name: 'output_endless' }),
  'its output breaks off': accepted('review', { name: 'output_truncated' }),
  'its output breaks off once': accepted('completed', { name: 'output_truncated', times: 1 }),
  'its output is half a video': accepted('output_unavailable', { name: 'output_truncated', clean: true }),
  'its output is cut in its header': accepted('output_unavailable', { name: 'output_truncated', clean: true, within: 'moov' }),
  'its output is cut in its pictures': accepted('output_unavailable', { name: 'output_truncated', clean: true, within: 'mdat' }),
  'its output is longer than we take': accepted('review', { name: 'output_large', bytes: 3_000_001 }),
  'its output is a WebM': accepted('output_unavailable', { name: 'output_wrong_type', is: 'webm', content_type: 'video/mp4' }),
  'its output is a picture': accepted('output_unavailable', { name: 'output_wrong_type', is: 'png' }),
  'its output is a page': accepted('output_unavailable', { name: 'output_wrong_type' }),
  'its output is a page called a video': accepted('output_unavailable', { name: 'output_wrong_type', content_type: 'video/mp4' }),
}

/** The ends that are as specified for a provider that offers this. */
export function endsOf({ end }: Fault, offers: Offers): End[] {
  const ends = typeof end === 'function' ? end(offers) : end
  return Array.isArray(ends) ? ends : [ends]
}

/** The answers to the POST that are as specified for it. */
export function answersOf({ answer }: Fault, offers: Offers): Answer[] {
  return typeof answer === 'function' ? answer(offers) : [answer].flat()
}

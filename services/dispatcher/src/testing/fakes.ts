import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { connectArk } from '../providers/ark/connect-ark'
import type { Connector, HandedMedia } from '../providers/connector'
import { connectDashScope } from '../providers/dashscope/connect-dashscope'
import { connectFal } from '../providers/fal/connect-fal'
import { connectGoogle } from '../providers/google/connect-google'
import { connectKling } from '../providers/kling/connect-kling'
import { connectMiniMax } from '../providers/minimax/connect-minimax'
import { connectOpenAiVideos } from '../providers/openai-videos/connect-openai-videos'
import { connectPixverse } from '../providers/pixverse/connect-pixverse'
import { connectReplicate } from '../providers/replicate/connect-replicate'
import { connectRunware } from '../providers/runware/connect-runware'
import { connectVidu } from '../providers/vidu/connect-vidu'
import { connectXai } from '../providers/xai/connect-xai'
import type { Behaviour } from './test-system'

export type OrderInit = Omit<Partial<Order>, '$typeName' | '$unknown' | 'inputs'> & { inputs?: HandedMedia[] }
export type Access = { url: string; key: string; submitTimeoutMs: number; readTimeoutMs: number }
/** A fault of the simulator's, and what the connector makes of it. */
export type Expected = [fault: Behaviour, outcome: object]

/** A connector against the simulator in its provider's place: what this provider has, and how the common faults end here. */
export type Fake = {
  /** The provider, and which of its forms. */
  name: string
  /** Of its address at the simulator. */
  path: string
  connect(access: Access): Connector
  /** The cheapest order that a default route takes there. */
  order: OrderInit
  /** Submits: those beside the common ones, or that end differently. */
  submits?: Expected[]
  /** Polls of what was accepted, as above. */
  polls?: Expected[]
  /** Faults of polls that this provider's answers can't show. */
  never?: string[]
  /** The cause of a submit that was refused for its key. */
  badKey: string | RegExp
  /** The cause of a submit that is one too many. */
  tooMany: RegExp
  /** Answers repeat our own id. */
  echoes?: boolean
  /** A submit that is sent again: how many generations it makes, and what comes of it where that isn't an acceptance. */
  sentAgain?: { generations: number; outcome?: object }
  /** Lost answers that are found by our own id, beside the common ones. */
  found?: Behaviour[][]
  /** What a generation's end says of its cost. */
  billed?: object
  /** A cancel is for what is in its queue alone, or also for what runs. Absent: it offers none that we use. */
  cancels?: 'queued' | 'running'
}

export const refused = { outcome: 'refused', code: 'generation_unavailable' }
export const unknown = { outcome: 'unknown' }
const inputsUnread: Expected = [
  { name: 'refuse', code: 'input_unreachable' },
  { ...refused, inputsUnread: true },
]
const refusedNotFound: Expected = [{ name: 'refuse', code: 'not_found' }, refused]
const brokenRefusal: Expected = [{ name: 'refuse', code: 'internal_error' }, unknown]
const common = { mode: 'text-to-video', aspectRatio: '16:9', watermark: false, credits: 1n }
const silent = { ...common, generateAudio: false }
const delta = { ...silent, model: 'delta-3.0', durationSeconds: 5, resolution: '720p' }
const beta = { ...silent, model: 'beta-2.0-mini', durationSeconds: 4, resolution: '480p' }

const ark = { path: '/ark/api/v3', order: beta, badKey: 'answered 401 AuthenticationError', tooMany: /^answered 429 / }
const arkPolls: Expected[] = [
  [{ name: 'ignore_token' }, { status: 'succeeded' }],
  [{ name: 'lookup_lags', delay_ms: 300 }, { status: 'succeeded' }],
]
const minimax = {
  path: '/minimax',
  connect: connectMiniMax,
  badKey: / 1004$/,
  tooMany: /\b1002$/,
  submits: [brokenRefusal],
  polls: [[{ name: 'ignore_token' }, { status: 'succeeded' }]] as Expected[],
}
const google = {
  path: '/google/v1beta',
  connect: (access: Access) => connectGoogle({ ...access, uploadTimeoutMs: 5_000 }),
  badKey: 'answered 400 INVALID_ARGUMENT',
  tooMany: /^answered 429 RESOURCE_EXHAUSTED$/,
  submits: [refusedNotFound],
}

export const fakes: Fake[] = [
  {
    ...{ name: 'fal', path: '/fal', connect: connectFal, order: delta, submits: [inputsUnread] },
    ...{ badKey: 'answered 401 no code', tooMany: /^answered 429 /, billed: { microUnits: 5_000_000 } },
    cancels: 'running',
  },
  {
    ...{ name: 'runware', path: '/runware/v1', connect: connectRunware, order: delta, echoes: true },
    ...{ badKey: 'answered 401 invalidApiKey', tooMany: /^answered 429 /, billed: { microUsd: 420_000 } },
    submits: [[{ name: 'wrong_id' }, unknown]],
    polls: [
      [{ name: 'lookup_500', times: 3 }, { status: 'succeeded' }],
      [{ name: 'lookup_lags', delay_ms: 300 }, { status: 'succeeded' }],
    ],
    // An id that it doesn't know is answered as one that hasn't begun.
    never: ['vanishes', 'wrong_id'],
    sentAgain: { generations: 1 },
    found: [],
  },
  {
    ...ark,
    name: 'ark',
    connect: access => connectArk({ ...access, marksAttempts: false }),
    submits: [inputsUnread, refusedNotFound, brokenRefusal],
    polls: arkPolls,
  },
  {
    ...ark,
    name: 'ark, attempts marked',
    connect: access => connectArk({ ...access, marksAttempts: true }),
    submits: [inputsUnread, refusedNotFound, brokenRefusal],
    polls: arkPolls,
    echoes: true,
    found: [],
  },
  { ...minimax, name: 'minimax, H3', order: { ...common, model: 'alpha-h3', durationSeconds: 4, resolution: '768p' } },
  {
    ...minimax,
    name: 'minimax, Hailuo',
    order: { ...common, model: 'kappa-2.3', durationSeconds: 6, resolution: '768p', aspectRatio: 'adaptive' },
  },
  {
    ...{ name: 'kling', path: '/kling', connect: connectKling, order: delta, echoes: true },
    ...{ badKey: 'answered 401 1002', tooMany: /^answered 429 /, submits: [brokenRefusal], found: [] },
    polls: [
      [{ name: 'ignore_token' }, { status: 'missing' }],
      [{ name: 'lookup_500', times: 3 }, { status: 'succeeded' }],
    ],
    sentAgain: { generations: 1, outcome: { outcome: 'unknown', cause: 'answered 400 1201: our id was sent before' } },
  },
  { ...google, name: 'google, Veo', order: { ...common, model: 'gamma-3.1-fast', durationSeconds: 8, resolution: '720p' } },
  {
    ...{ ...google, name: 'google, Omni', echoes: true },
    order: { ...common, model: 'theta-omni-1.1-flash', durationSeconds: 10, resolution: '720p' },
  },
  {
    ...{ name: 'dashscope', path: '/dashscope/api/v1', connect: connectDashScope, submits: [inputsUnread] },
    cancels: 'queued',
    ...{ badKey: 'answered 401 InvalidApiKey', tooMany: /^answered 429 / },
    order: { ...silent, model: 'eta-3.0', durationSeconds: 5, resolution: '720p' },
  },
  {
    ...{ name: 'vidu', path: '/vidu', connect: connectVidu, submits: [inputsUnread], echoes: true },
    cancels: 'queued',
    ...{ badKey: 'answered 401 Unauthorized', tooMany: /^answered 429 / },
    order: { ...silent, model: 'iota-q3-turbo', durationSeconds: 2, resolution: '540p' },
    found: [
      [{ name: 'accept_then_drop' }, { name: 'lookup_500', times: 2 }],
      [{ name: 'accept_then_drop' }, { name: 'lookup_lags', delay_ms: 300 }],
    ],
  },
  {
    ...{ name: 'pixverse', path: '/pixverse/openapi/v2', badKey: 'answered 401 10001', tooMany: /\b500044$/ },
    connect: access => connectPixverse({ ...access, uploadTimeoutMs: 5_000 }),
    order: { ...silent, model: 'lambda-v6', durationSeconds: 1, resolution: '360p' },
    sentAgain: { generations: 1 },
  },
  {
    ...{ name: 'xai', path: '/xai/v1', connect: connectXai },
    ...{ badKey: 'answered 400 Client specified an invalid argument', tooMany: /^answered 429 rate_limit_exceeded$/ },
    order: { ...common, model: 'epsilon-1.5', durationSeconds: 6, resolution: '480p' },
  },
  {
    ...{ name: 'replicate', path: '/replicate/v1', connect: connectReplicate, submits: [refusedNotFound, brokenRefusal] },
    cancels: 'running',
    ...{ badKey: 'answered 401', tooMany: /^answered 429$/ },
    order: { ...silent, model: 'beta-2.0-fast', durationSeconds: 4, resolution: '480p' },
  },
  {
    ...{ name: 'openai-videos', path: '/openai-videos/v1', connect: connectOpenAiVideos, submits: [refusedNotFound, brokenRefusal] },
    ...{ badKey: 'answered 401 invalid_api_key', tooMany: /^answered 429 rate_limit_exceeded$/ },
    order: { ...common, model: 'gamma-3.1-fast', durationSeconds: 8, resolution: '720p' },
  },
]

export function fakeNamed(wanted: string): Fake {
  const found = fakes.find(({ name }) => name === wanted)
  if (!found) throw new Error(`no fake is named ${wanted}`)
  return found
}

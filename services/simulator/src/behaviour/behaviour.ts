import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { reasons } from '../errors'

const milliseconds = (fallback: number) => Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000, default: fallback }))
const times = (fallback: number) => Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: fallback }))
const behaviour = <N extends string, P extends Record<string, TSchema>>(name: N, params: P) =>
  Type.Object({ name: Type.Literal(name), ...params }, { additionalProperties: false })

const smallerResolutions = ['180p', '360p', '480p', '540p', '720p', '768p', '1080p'] as const

/** What a provider may do to a caller, by the moment at which it does it. One submit may be given several, of different moments. */
export const Behaviour = Type.Union([
  // While the submit is answered.
  behaviour('refuse', { code: Type.Optional(Type.Union(Object.keys(reasons).map(code => Type.Literal(code)))) }),
  behaviour('refuse_content', {}),
  behaviour('drop_before_accept', {}),
  behaviour('500_before_accept', {}),
  behaviour('accept_late', { delay_ms: milliseconds(120_000) }),
  behaviour('accept_then_drop', {}),
  behaviour('accept_then_500', {}),
  behaviour('bad_json', {}),
  behaviour('wrong_id', { of: Type.Optional(Type.Union([Type.Literal('nobody'), Type.Literal('another')])) }),
  behaviour('ignore_token', {}),
  // When it is looked up by the caller's own id.
  behaviour('lookup_lags', { delay_ms: milliseconds(10_000) }),
  behaviour('lookup_500', { times: times(3) }),
  // When it is looked up by either id.
  behaviour('vanishes', { delay_ms: milliseconds(0) }),
  // While it runs and is polled.
  behaviour('read_500', { times: times(3) }),
  behaviour('unknown_status', { times: times(3) }),
  behaviour('completed_then_processing', {}),
  // Each read is told one place less in the queue, and after that so many percent more. The other behaviours say how long it runs.
  behaviour('tells_progress', {
    places: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, default: 3 })),
    step: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
  }),
  behaviour('never_finishes', {}),
  behaviour('stays_queued', { delay_ms: milliseconds(30_000) }),
  behaviour('slow', { delay_ms: milliseconds(30_000) }),
  behaviour('fails_after_accept', { delay_ms: milliseconds(0) }),
  behaviour('moderated', { delay_ms: milliseconds(0) }),
  behaviour('instant', {}),
  behaviour('no_callback', {}),
  // When it is cancelled: it is not; it is said to be and goes on; no answer, whether it is or not.
  behaviour('cancel_refused', {}),
  behaviour('cancel_lies', {}),
  behaviour('cancel_silent', { takes: Type.Optional(Type.Boolean()) }),
  // Of a format whose callbacks are signed.
  behaviour('callback_signature', { is: Type.Union([Type.Literal('none'), Type.Literal('forged'), Type.Literal('stale')]) }),
  // Of a format that tells what a generation cost: something else, or nothing.
  behaviour('cost_told', { as: Type.Union([Type.Null(), Type.Number(), Type.String({ pattern: '^[ -~]{0,100}$' })]) }),
  // When it is rendered: less than was asked for, more, or other tracks.
  behaviour('deliver_shorter', { seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, default: 1 })) }),
  behaviour('deliver_longer', { more_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, default: 5 })) }),
  behaviour('deliver_smaller', {
    resolution: Type.Optional(Type.Union(smallerResolutions.map(one => Type.Literal(one)))),
  }),
  behaviour('deliver_silent', {}),
  behaviour('deliver_audio_only', {}),
  behaviour('deliver_hevc', {}),
  behaviour('deliver_two_tracks', { of: Type.Optional(Type.Union([Type.Literal('picture'), Type.Literal('sound')])) }),
  // When its output is fetched.
  behaviour('output_404', {}),
  behaviour('output_empty', {}),
  behaviour('output_status', { status: Type.Integer({ minimum: 400, maximum: 599 }), times: times(1_000_000) }),
  behaviour('output_stalls', {}),
  behaviour('output_elsewhere', { origin: Type.String({ pattern: '^https?://', maxLength: 200 }), delay_ms: milliseconds(3_600_000) }),
  behaviour('output_redirect', { to: Type.Optional(Type.String({ maxLength: 2048 })) }),
  behaviour('output_endless', {}),
  behaviour('output_truncated', {
    clean: Type.Optional(Type.Boolean()),
    times: times(1_000_000),
    within: Type.Optional(Type.Union([Type.Literal('moov'), Type.Literal('mdat')])),
  }),
  behaviour('output_wrong_type', {
    content_type: Type.Optional(Type.String({ maxLength: 100 })),
    is: Type.Optional(Type.Union([Type.Literal('page'), Type.Literal('webm'), Type.Literal('png')])),
  }),
  behaviour('output_expired', { times: times(1) }),
  behaviour('output_large', { bytes: Type.Integer({ minimum: 1_000_000, maximum: 2_000_000_000 }) }),
])
export type Behaviour = Static<typeof Behaviour>
export type BehaviourName = Behaviour['name']
type Named<N extends BehaviourName> = Extract<Behaviour, { name: N }>

/** The one of that name among what a submit was given. */
export function find<N extends BehaviourName>(behaviours: readonly Behaviour[], name: N): Named<N> | undefined {
  return behaviours.find((one): one is Named<N> => one.name === name)
}

export const has = (behaviours: readonly Behaviour[], name: BehaviourName) => behaviours.some(one => one.name === name)

/** What is told of a cost, in the place of what it is. Undefined: nothing. */
export function costTold(behaviours: readonly Behaviour[], cost: number): string | number | undefined {
  const other = find(behaviours, 'cost_told')
  return other ? (other.as ?? undefined) : cost
}

/** For which submits, how often, and what. Without `times` it holds until it is deleted. */
export const RuleRequest = Type.Object(
  {
    match: Type.Optional(
      Type.Object(
        {
          client_task_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
          prompt_includes: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
        },
        { additionalProperties: false },
      ),
    ),
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    probability: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 4294967295 })),
    behaviours: Type.Array(Behaviour, { minItems: 1, maxItems: 10 }),
  },
  { additionalProperties: false },
)
export type RuleRequest = Static<typeof RuleRequest>
export const ruleForm = TypeCompiler.Compile(RuleRequest)

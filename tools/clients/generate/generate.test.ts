import { expect, test } from 'bun:test'
import { readContract } from './contract'
import type { Schema, Schemas } from './document'
import { python } from './python'
import { typescript } from './typescript'

// biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
const when = (condition: Schema, demand: Schema): Schema => ({ if: condition, then: demand })
const some = (field: string): Schema => ({ properties: { [field]: { minItems: 1 } }, required: [field] })
const list: Schema = { type: 'array', maxItems: 2, items: { type: 'string' } }

const request: Schema = {
  type: 'object',
  description: 'A video by test-1.',
  properties: {
    model: { const: 'test-1' },
    mode: { enum: ['text-to-video', 'media-to-video'] },
    prompt: { type: 'string', description: 'What it shows.' },
    duration: { type: 'integer', minimum: 4, maximum: 6, description: 'Seconds. Default: 5.' },
    resolution: { enum: ['480p', '1080p'] },
    seed: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
    reference_video_urls: list,
    reference_video_durations: { ...list, items: { type: 'integer', minimum: 2, maximum: 9 } },
    reference_image_urls: list,
  },
  required: ['model', 'prompt'],
  allOf: [
    when(
      { properties: { mode: { const: 'text-to-video' } } },
      {
        properties: { reference_video_urls: false, reference_video_durations: false, reference_image_urls: false },
        allOf: [
          when(
            { properties: { resolution: { const: '1080p' } }, required: ['resolution'] },
            { properties: { duration: { const: 6 } }, required: ['duration'] },
          ),
        ],
      },
    ),
    when(
      { properties: { mode: { const: 'media-to-video' } }, required: ['mode'] },
      {
        properties: { resolution: { enum: ['480p'] }, seed: false },
        allOf: [
          { anyOf: [some('reference_image_urls'), some('reference_video_urls')] },
          when(some('reference_video_urls'), { required: ['reference_video_durations'] }),
        ],
      },
    ),
  ],
  'x-rules': [
    {
      rule: 'video_durations_count',
      modes: ['media-to-video'],
      message: 'reference_video_durations must have as many items as reference_video_urls',
      left: [{ count: 'reference_video_durations' }],
      op: '==',
      right: [{ count: 'reference_video_urls' }],
    },
  ],
}

const other: Schema = {
  ...request,
  properties: { ...request.properties, model: { const: 'test-2' }, duration: { type: 'integer', const: 8, description: 'Seconds.' } },
  required: ['prompt'],
  allOf: [when({ properties: { mode: { const: 'text-to-video' } } }, {})],
}

const schemas: Schemas = {
  VideoGenerationRequest: {
    discriminator: {
      propertyName: 'model',
      mapping: { 'test-1': '#/components/schemas/Test1Request', 'test-2': '#/components/schemas/Test2Request' },
    },
  },
  Test1Request: request,
  Test2Request: other,
  Task: {
    type: 'object',
    description: 'A task.',
    properties: {
      id: { type: 'string', description: 'Names it. Not */ an end.' },
      status: { type: 'string', enum: ['done', 'failed'], description: 'Its end.' },
      error: { anyOf: [{ $ref: '#/components/schemas/ErrorCode' }, { type: 'null' }] },
      'text-to-video': { type: 'boolean' },
    },
    required: ['id', 'error', 'status', 'text-to-video'],
  },
  ErrorCode: { type: 'string', enum: ['not_found', 'too_dear'] },
  ErrorDetails: { type: 'object', properties: { price: { type: 'integer', minimum: 1 } }, additionalProperties: true },
  ApiError: {
    type: 'object',
    properties: { code: { $ref: '#/components/schemas/ErrorCode' } },
    required: ['code'],
    allOf: [
      when({ properties: { code: { const: 'not_found' } } }, { not: { required: ['details'] } }),
      when(
        { properties: { code: { const: 'too_dear' } } },
        { properties: { details: { propertyNames: { enum: ['price'] }, required: ['price'] } } },
      ),
    ],
  },
}

const contract = readContract(schemas)
const ts = typescript(contract)
const py = python(contract)

test('a mode has its own fields and values; those that it lacks are not taken', () => {
  expect(ts).toContain(`interface Test1TextToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'seed'> {
  model: 'test-1'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6
  resolution?: '480p' | '1080p'
}`)
  expect(ts).toContain(`  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6
  resolution?: '480p'
}`)
  expect(py).toContain(`class _Test1MediaToVideo(TypedDict):
    model: Literal["test-1"]
    mode: Literal["media-to-video"]
    prompt: str
`)
})

test('a rule between fields is a union in TypeScript, and words in Python', () => {
  expect(ts).toContain(`export type Test1TextToVideo = Test1TextToVideoFields &
  (
    | { resolution?: '480p' }
    | { resolution: '1080p'; duration: 6 }
  )`)
  expect(ts).toContain(`  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  )`)
  expect(py).toContain('duration is 6 when resolution is 1080p')
})

test('the model that requests mean without a name is optional', () => {
  expect(ts).toContain("  model?: 'test-2'\n")
  expect(py).toContain('class _Test2TextToVideo(TypedDict):\n    prompt: str\n')
})

test('answers keep their names, a choice has one of its own, and comments stay comments', () => {
  expect(ts).toContain(`export type Task = {
  /** Names it. Not *\\/ an end. */
  id: string
  /** Its end. */
  status: TaskStatus
  error: ErrorCode | null
  'text-to-video': boolean
}`)
  expect(py).toContain('TaskStatus = Literal[\n    "done",\n    "failed",\n]')
  expect(py).toContain('Task = TypedDict(\n    "Task",\n')
})

test('details are named by their codes', () => {
  expect(ts).toContain('  not_found: undefined\n  too_dear: { price: number }\n')
  expect(py).toContain('class TooDearDetails(TypedDict):\n    """What `details` holds with `too_dear`."""\n    price: int\n')
})

test('a schema without a type is a fault, not an unknown', () => {
  expect(() => readContract({ ...schemas, Odd: { description: 'Nothing.' } })).toThrow('no type for {"description":"Nothing."}')
  const rule = when({ properties: { duration: { const: 6 }, seed: { const: 1 } } }, {})
  const odd = { ...request, allOf: [when({ properties: { mode: { const: 'text-to-video' } } }, { allOf: [rule] })] }
  expect(() => readContract({ ...schemas, Test1Request: odd })).toThrow('no type for the condition')
})

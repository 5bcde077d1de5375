import { isAddress, isFields } from '../engine/fields'
import models from './models.json' with { type: 'json' }

/** What one of Runware's models takes, from its page (`source`); fields beside those of every task stand with their places. */
export type ModelForm = {
  model: string
  source: string
  /** Our word of a resolution → ratio → the one size that it has there. */
  sizes: Record<string, Record<string, string>>
  /** The model takes a size or frames, and exactly one of both. */
  size_or_frames?: boolean
  seconds: { min?: number; max?: number; one_of?: number[] }
  fields: string[]
}

/** An error of one task: runware.ai/docs/platform/errors. */
export type TaskFault = { code: string; message: string; parameter?: string }
export type Task = Record<string, unknown>

const forms = new Map((models as unknown as ModelForm[]).map(form => [form.model, form]))
export const formOf = (model: unknown): ModelForm | undefined => (typeof model === 'string' ? forms.get(model) : undefined)

type Kind = 'string' | 'boolean' | 'integer' | 'number' | 'frames' | 'addresses'

/** “API options” and “Request parameters” of every model's page. */
const common: Record<string, Kind> = {
  ...{ taskType: 'string', taskUUID: 'string', model: 'string', deliveryMethod: 'string', outputType: 'string', outputFormat: 'string' },
  ...{
    outputQuality: 'integer',
    numberResults: 'integer',
    includeCost: 'boolean',
    webhookURL: 'string',
    uploadEndpoint: 'string',
    ttl: 'integer',
  },
  ...{ positivePrompt: 'string', duration: 'number', width: 'integer', height: 'integer' },
}
const further: Record<string, Kind> = {
  ...{ seed: 'integer', fps: 'integer', 'settings.audio': 'boolean', 'inputs.frameImages': 'frames' },
  ...{ 'inputs.referenceImages': 'addresses', 'inputs.referenceVideos': 'addresses', 'inputs.referenceAudios': 'addresses' },
  ...{ 'providerSettings.klingai.sound': 'boolean', 'providerSettings.google.generateAudio': 'boolean' },
  ...{ 'providerSettings.vidu.audio': 'boolean', 'providerSettings.minimax.promptOptimizer': 'boolean' },
}
/** Of these fields no other value is taken. */
const oneOf: Record<string, unknown[]> = {
  ...{
    taskType: ['videoInference'],
    deliveryMethod: ['async'],
    outputType: ['URL'],
    outputFormat: ['MP4', 'WEBM', 'MOV'],
    numberResults: [1],
  },
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
export const isTaskUuid = (value: unknown): value is string => typeof value === 'string' && uuidV4.test(value)

/** The first fault of a task; codes that no page or client of Runware's shows are named after those that do. */
export function faultOf(form: ModelForm, task: Task): TaskFault | undefined {
  const flat = flatten(task)
  for (const [name, value] of Object.entries(flat)) {
    const kind = common[name] ?? (form.fields.includes(name) ? further[name] : undefined)
    if (!kind) return fault('unsupportedParameter', name)
    if (!isOfKind(kind, value) || (oneOf[name] && !oneOf[name].includes(value))) return fault(`invalid${capital(name)}`, name)
  }
  if (typeof flat.positivePrompt !== 'string' || flat.positivePrompt.length < 2) return fault('missingPositivePrompt', 'positivePrompt')
  if (flat.deliveryMethod === undefined) return fault('missingDeliveryMethod', 'deliveryMethod')
  return durationFault(form, flat) ?? sizeFault(form, flat)
}

function durationFault({ seconds: { min, max, one_of: listed } }: ModelForm, { duration }: Task): TaskFault | undefined {
  if (typeof duration !== 'number') return fault('missingDuration', 'duration')
  const isTaken = listed ? listed.includes(duration) : duration >= (min ?? 1) && duration <= (max ?? duration)
  return isTaken ? undefined : fault('unsupportedDuration', 'duration')
}

function sizeFault(form: ModelForm, { width, height, ...flat }: Task): TaskFault | undefined {
  const hasSize = width !== undefined || height !== undefined
  const hasFrames = flat['inputs.frameImages'] !== undefined
  if (form.size_or_frames && hasSize === hasFrames) return fault('incompatibleParameters', 'width')
  if (!form.size_or_frames && !hasSize) return fault('missingWidth', 'width')
  if (hasFrames && Object.keys(flat).some(name => name.startsWith('inputs.reference'))) return fault('incompatibleParameters', 'inputs')
  return hasSize && !placeOf(form, `${width}x${height}`) ? fault('unsupportedDimensions', 'width') : undefined
}

/** Which resolution and ratio a size is. */
export function placeOf({ sizes }: ModelForm, size: string): { resolution: string; ratio: string } | undefined {
  for (const [resolution, byRatio] of Object.entries(sizes))
    for (const [ratio, own] of Object.entries(byRatio)) if (own === size) return { resolution, ratio }
  return undefined
}

/** `{a: {b: 1}}` as `{'a.b': 1}`; lists are values. */
export function flatten(task: Task, before = ''): Task {
  return Object.fromEntries(
    Object.entries(task).flatMap(([name, value]): [string, unknown][] =>
      isFields(value) ? Object.entries(flatten(value, `${before}${name}.`)) : [[`${before}${name}`, value]],
    ),
  )
}

function isOfKind(kind: Kind, value: unknown): boolean {
  if (kind === 'addresses') return Array.isArray(value) && value.length > 0 && value.every(isAddress)
  if (kind === 'frames') return Array.isArray(value) && value.length > 0 && value.length <= 2 && value.every(isFrame)
  if (kind === 'integer') return Number.isSafeInteger(value) && Number(value) >= 0
  return typeof value === kind
}

function isFrame(value: unknown): boolean {
  if (!isFields(value)) return false
  const { image, frame, ...rest } = value
  return isAddress(image) && (frame === 'first' || frame === 'last') && Object.keys(rest).length === 0
}

const capital = (name: string): string => name.replace(/(?:^|\.)(.)/g, (_, letter: string) => letter.toUpperCase())
const fault = (code: string, parameter: string): TaskFault => ({ code, message: `Invalid value for ${parameter} parameter.`, parameter })

import { invariant } from '@filmgate/kit/failure'

/**
 * Runware takes a UUID v4 of ours for a task and knows it by that alone. Ours are UUIDs v7: the same digits with a 4 where theirs say which
 * version they are, so that either id gives the other, whatever was written down of a submit.
 */
export function taskUuidOf(attemptId: string): string {
  const [, ...parts] = attemptForm.exec(attemptId) ?? []
  invariant(parts.length === 5, 'an attempt’s id is at_ and a UUIDv7')
  const [time, low, random, variant, rest] = parts
  return `${time}-${low}-4${random}-${variant}-${rest}`
}

/** Null: no id of an attempt. */
export function attemptIdOf(taskUuid: string): string | null {
  const [, ...parts] = taskForm.exec(taskUuid) ?? []
  const [time, low, random, variant, rest] = parts
  return parts.length === 5 ? `at_${time}${low}7${random}${variant}${rest}` : null
}

const attemptForm = /^at_([0-9a-f]{8})([0-9a-f]{4})7([0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})$/
const taskForm = /^([0-9a-f]{8})-([0-9a-f]{4})-4([0-9a-f]{3})-([89ab][0-9a-f]{3})-([0-9a-f]{12})$/

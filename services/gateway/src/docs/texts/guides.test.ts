import { expect, test } from 'bun:test'
import { notCancelledBecause } from '../../cancel/cancel-task'
import { cancelAfterSecondsMax } from '../../cancel/read-cancel-after'
import { tagsMax, tagValueCharactersMax } from '../../tags/read-tags'
import { eventTypes } from '../../tasks/events/task-events'
import { billingStatuses } from '../../tasks/task'
import { eventTypes as webhookTypes } from '../../webhooks/bodies'
import { taskOnlyCodes } from '../open-api/error-codes'
import { texts } from './texts'

const named = (guide: string, names: string[]) => {
  const text = texts.guides[guide] ?? ''
  return names.filter(name => !text.includes(`\`${name}\``))
}

test('guides name every value of the closed lists that they explain', () => {
  expect(named('billing', Object.keys(billingStatuses))).toEqual([])
  expect(named('polling-and-webhooks', [...eventTypes, ...webhookTypes])).toEqual([])
  expect(named('idempotency-and-retries', Object.keys(notCancelledBecause))).toEqual([])
  expect(named('errors', Object.keys(taskOnlyCodes))).toEqual([])
})

test('guides tell the bounds that hold', () => {
  expect(texts.guides['idempotency-and-retries']).toContain(`1 to ${cancelAfterSecondsMax.toLocaleString('en')} seconds`)
  expect(texts.guides['limits-and-budgets']).toContain(`| tags of a task | ${tagsMax}, of ${tagValueCharactersMax} characters a value |`)
})

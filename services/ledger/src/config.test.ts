import { expect, test } from 'bun:test'
import { readCommandConfig, readConfig } from './config'

const env = {
  DATABASE_URL: 'postgres://u:p@localhost/l',
  KAFKA_BROKERS: 'a:1, b:2',
  FILMGATE_OPERATOR_TOKEN: 'a-token-of-24-characters',
}

test('three variables are enough; the unfinished limit is the contract’s three', () => {
  expect(readConfig(env)).toMatchObject({
    port: 4101,
    kafka: { brokers: ['a:1', 'b:2'] },
    unfinishedTasksMax: 3,
    topicPrefix: 'filmgate',
  })
})

test('every fault is listed at once, and no secret is repeated', () => {
  const faulty = { ...env, FILMGATE_OPERATOR_TOKEN: 'short', DATABASE_URL: 'mysql://u:hush@h/l', FILMGATE_UNFINISHED_TASKS_MAX: '0' }
  const read = () => readConfig(faulty)
  for (const variable of ['FILMGATE_OPERATOR_TOKEN', 'DATABASE_URL', 'FILMGATE_UNFINISHED_TASKS_MAX']) expect(read).toThrow(variable)
  expect(read).not.toThrow('hush')
})

test('commands need the database alone', () => {
  expect(readCommandConfig({ DATABASE_URL: env.DATABASE_URL }).databaseUrl).toBe(env.DATABASE_URL)
})

import { expect, test } from 'bun:test'
import { OpsFault } from './fault'
import { parseEnvFile, readSettings } from './settings'

const complete = {
  FILMGATE_GATEWAY_URL: 'http://g',
  FILMGATE_LEDGER_URL: 'http://l',
  FILMGATE_DISPATCHER_URL: 'http://d',
  FILMGATE_OPERATOR_TOKEN: 'token',
  KAFKA_BROKERS: 'k:9092',
}

test('the environment is enough where no stack was ever started', () => {
  const settings = readSettings('never-started', complete)
  expect(settings.operator()).toEqual({
    urls: { gateway: 'http://g', ledger: 'http://l', dispatcher: 'http://d', 'media-probe': undefined },
    operatorToken: 'token',
    tokenFrom: 'the environment',
  })
  expect(settings.broker()).toEqual({ kafka: { brokers: ['k:9092'] }, topicPrefix: 'filmgate' })
})

test('all that is missing is named at once, and only what the command needs is missed', () => {
  const settings = readSettings('never-started', { KAFKA_BROKERS: 'k:9092' })
  expect(settings.broker().kafka.brokers).toEqual(['k:9092'])
  expect(() => settings.operator()).toThrow(OpsFault)
  expect(() => settings.operator()).toThrow(/FILMGATE_GATEWAY_URL, FILMGATE_LEDGER_URL, FILMGATE_DISPATCHER_URL, FILMGATE_OPERATOR_TOKEN/)
})

test('a settings file is read line by line, quotes and all', () => {
  expect(parseEnvFile('A=1\n\n# words\nB="two words"\nnot a setting\nC=x=y\n')).toEqual({ A: '1', B: 'two words', C: 'x=y' })
})

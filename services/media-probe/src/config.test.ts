import { expect, test } from 'bun:test'
import { readConfig } from './config'

const env = {
  KAFKA_BROKERS: 'localhost:9092',
  DATABASE_URL: 'postgres://u:p@localhost/db',
  FILMGATE_OPERATOR_TOKEN: 'a-token-of-the-test-operators',
  S3_ENDPOINT: 'http://localhost:9000',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
  S3_INPUTS_BUCKET: 'inputs',
}
const development = { FILMGATE_SAMPLE_MEDIA_ORIGIN: 'https://localhost:4125' }

test('a development build may permit a private host', () => {
  expect(readConfig({ ...env, ...development }, false).sampleMediaOrigins).toEqual(['https://localhost:4125'])
})

test('a release build refuses to start with a permitted private host', () => {
  expect(() => readConfig({ ...env, ...development }, true)).toThrow(
    'FILMGATE_SAMPLE_MEDIA_ORIGIN is a development setting and this is a release build',
  )
  expect(readConfig(env, true).sampleMediaOrigins).toBeUndefined()
})

test('all faults are listed at once', () => {
  expect(() => readConfig({ ...env, DATABASE_URL: '', FILMGATE_FORBIDDEN_RANGES: '10.0.0/8', FILMGATE_ISOLATION: 'none' })).toThrow(
    /DATABASE_URL is not set[\s\S]*FILMGATE_ISOLATION does not match[\s\S]*FILMGATE_FORBIDDEN_RANGES is not a range/,
  )
})

test('the cluster’s forbidden ranges are parsed', () => {
  expect(readConfig({ ...env, FILMGATE_FORBIDDEN_RANGES: '34.118.224.0/20, 2600:1900::/28' }).forbiddenRanges).toHaveLength(2)
})

test('a contact is an https URL or a mail address, and nothing that would end its header', () => {
  const contactOf = (FILMGATE_FETCH_CONTACT: string) => readConfig({ ...env, FILMGATE_FETCH_CONTACT }).fetchContact
  for (const contact of ['https://filmgate.example/contact', 'media@filmgate.example']) expect(contactOf(contact)).toBe(contact)
  for (const contact of ['Filmgate', 'http://filmgate.example', 'https://a.example/)x', 'a@b\r\nHost: c', 'a @b'])
    expect(() => contactOf(contact)).toThrow('FILMGATE_FETCH_CONTACT does not match')
})

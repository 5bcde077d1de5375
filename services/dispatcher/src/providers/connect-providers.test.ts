import { expect, test } from 'bun:test'
import { readConfig } from '../config'
import { connectProviders } from './connect-providers'
import { outsideProviders, providerNames } from './outside-providers'

const environment = {
  ...{
    DATABASE_URL: 'postgres://dispatcher@127.0.0.1/dispatcher',
    KAFKA_BROKERS: '127.0.0.1:9092',
    S3_ENDPOINT: 'https://store.example.com',
  },
  ...{ S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret', S3_INPUTS_BUCKET: 'inputs', S3_OUTPUTS_BUCKET: 'outputs' },
  ...{ FILMGATE_OUTPUT_BASE_URL: 'https://store.example.com/outputs', FILMGATE_OPERATOR_TOKEN: 'o'.repeat(24) },
  FILMGATE_ATTEMPT_SECRET: 'a'.repeat(32),
}
const connected = (own: Record<string, string>) => connectProviders(readConfig({ ...environment, ...own }))
const key = 'x'.repeat(40)

test('a provider is on where its key is there, and one provider’s absence hides no other', () => {
  const on = (own: Record<string, string>) => connected(own).map(({ provider }) => provider)
  expect(on({})).toEqual([])
  for (const provider of providerNames) {
    const { key: variable, url } = outsideProviders[provider]
    expect(on({ [variable]: key, [url]: 'https://provider.example' })).toEqual([provider])
  }
  const simulator = { FILMGATE_SIMULATOR_URL: 'http://127.0.0.1:4105', SIMULATOR_KEY: key, FILMGATE_DEVELOPMENT: '1' }
  expect(on({ ...simulator, FAL_KEY: key, RUNWARE_API_KEY: key })).toEqual(['fal', 'runware', 'simulator'])
})

test('at Ark attempts are marked only where that is set', () => {
  const lookUps = (own: Record<string, string>) => connected({ ARK_API_KEY: key, ...own }).map(({ capabilities }) => capabilities.lookUp)
  expect([lookUps({}), lookUps({ FILMGATE_ARK_MARK_ATTEMPTS: '1' })]).toEqual([['none'], ['own-id-if-found']])
})

test('providers can read our store where it is https on a public name or address, unless the operator declares otherwise', () => {
  const uploads = (endpoint: string, declared = '') =>
    connected({ FAL_KEY: key, S3_ENDPOINT: endpoint, FILMGATE_INPUTS_PUBLIC: declared }).map(
      ({ uploadInputs }) => uploadInputs !== undefined,
    )
  for (const endpoint of ['https://s3.eu-central-1.amazonaws.com', 'https://store.example.com', 'https://8.8.8.8'])
    expect([endpoint, uploads(endpoint)]).toEqual([endpoint, [false]])
  for (const endpoint of [
    ...['http://127.0.0.1:4125', 'http://store.example.com', 'https://10.0.0.7', 'https://localhost', 'https://minio'],
    ...['https://minio.storage.svc', 'https://minio.storage.svc.cluster.local', 'https://store.example.com:9000', 'https://[::1]'],
  ])
    expect([endpoint, uploads(endpoint)]).toEqual([endpoint, [true]])
  expect(uploads('https://store.example.com:9000', '1')).toEqual([false])
  expect(uploads('https://s3.eu-central-1.amazonaws.com', '0')).toEqual([true])
})

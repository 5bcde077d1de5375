import { expect, test } from 'bun:test'
import { renderChart } from './render-chart'

type Pod = { volumes: { name: string }[]; containers: { volumeMounts: { name: string }[] }[] }
const podOf = (object: { spec: object }) => (object.spec as { template: { spec: Pod } }).template.spec

const user = { mechanism: 'scram-sha-512', existingSecret: 'kafka-user' }
const authority = { enabled: true, ca: { existingConfigMap: 'authorities', key: 'all.pem' } }

const volume = {
  name: 'kafka',
  projected: {
    defaultMode: 0o440,
    sources: [
      { configMap: { name: 'authorities', items: [{ key: 'all.pem', path: 'ca.crt' }] } },
      {
        secret: {
          name: 'kafka-user',
          items: [
            { key: 'username', path: 'username' },
            { key: 'password', path: 'password' },
          ],
        },
      },
    ],
  },
}

test('Kafka’s login and CA are files that follow a rotated Secret; no secret is in the environment', async () => {
  const { one } = await renderChart('ledger', { 'kafka.tls': authority, 'kafka.sasl': user })
  const pod = podOf(one('Deployment'))
  expect(pod.volumes).toContainEqual(volume)
  expect(pod.containers[0]?.volumeMounts).toContainEqual({ name: 'kafka', mountPath: '/etc/filmgate/kafka', readOnly: true } as {
    name: string
  })
  expect(JSON.stringify(pod)).not.toContain('subPath')
  expect(one('ConfigMap').data).toMatchObject({
    FILMGATE_KAFKA_TLS: '1',
    FILMGATE_KAFKA_TLS_CA_FILE: '/etc/filmgate/kafka/ca.crt',
    FILMGATE_KAFKA_SASL_MECHANISM: 'scram-sha-512',
    FILMGATE_KAFKA_SASL_USERNAME_FILE: '/etc/filmgate/kafka/username',
    FILMGATE_KAFKA_SASL_PASSWORD_FILE: '/etc/filmgate/kafka/password',
  })
})

test('the umbrella’s Kafka settings apply to every service and to the topics’ Job', async () => {
  const { one } = await renderChart('filmgate', { 'global.kafka.tls': authority, 'global.kafka.sasl': user })
  for (const service of ['gateway', 'ledger', 'catalog', 'media-probe', 'dispatcher'])
    expect(podOf(one('Deployment', `filmgate-${service}`)).volumes).toContainEqual(volume)
  expect(podOf(one('Job', 'filmgate-topics')).volumes).toContainEqual(volume)
})

test('KEDA reads lag with the service’s login, CA and certificate', async () => {
  const tls = { ...authority, clientCertificate: { existingSecret: 'kafka-client' } }
  const { one } = await renderChart('media-probe', { 'keda.enabled': true, 'kafka.tls': tls, 'kafka.sasl': user })
  expect(one('ScaledObject').spec).toMatchObject({
    triggers: [
      { type: 'postgresql', authenticationRef: { name: 'filmgate-media-probe' } },
      {
        type: 'kafka',
        metadata: { tls: 'enable', sasl: 'scram_sha512' },
        authenticationRef: { name: 'filmgate-media-probe-kafka' },
      },
    ],
  })
  expect(one('TriggerAuthentication', 'filmgate-media-probe-kafka').spec as object).toEqual({
    configMapTargetRef: [{ parameter: 'ca', name: 'authorities', key: 'all.pem' }],
    secretTargetRef: [
      { parameter: 'cert', name: 'kafka-client', key: 'tls.crt' },
      { parameter: 'key', name: 'kafka-client', key: 'tls.key' },
      { parameter: 'username', name: 'kafka-user', key: 'username' },
      { parameter: 'password', name: 'kafka-user', key: 'password' },
    ],
  })
})

test('a user name that is not in a Secret comes from the values, and KEDA reads it from the pods', async () => {
  const { one } = await renderChart('dispatcher', { 'keda.enabled': true, 'kafka.sasl': { ...user, username: 'line' } })
  expect(one('ConfigMap').data).toMatchObject({ FILMGATE_KAFKA_SASL_USERNAME: 'line' })
  expect(one('TriggerAuthentication', 'filmgate-dispatcher-kafka').spec).toMatchObject({
    env: [{ parameter: 'username', name: 'FILMGATE_KAFKA_SASL_USERNAME', containerName: 'dispatcher' }],
  })
})

const tlsAlone = { enabled: true }
const settingsOf = (data: unknown) =>
  Object.fromEntries(Object.entries(data as object).filter(([name]) => /^FILMGATE_KAFKA_(SASL|OAUTH|AWS)/.test(name)))

test('a login by IAM needs no Secret: nothing is mounted, and KEDA signs by a role of its own', async () => {
  const sasl = { mechanism: 'aws-msk-iam', region: 'eu-central-1' }
  const { one } = await renderChart('dispatcher', { 'keda.enabled': true, 'kafka.tls': tlsAlone, 'kafka.sasl': sasl })
  expect(settingsOf(one('ConfigMap').data)).toEqual({
    FILMGATE_KAFKA_SASL_MECHANISM: 'aws-msk-iam',
    FILMGATE_KAFKA_AWS_REGION: 'eu-central-1',
  })
  expect(podOf(one('Deployment')).volumes.map(({ name }) => name)).not.toContain('kafka')
  const metadata = { tls: 'enable', sasl: 'oauthbearer', saslTokenProvider: 'aws_msk_iam', awsRegion: 'eu-central-1' }
  const { triggers } = one('ScaledObject').spec as { triggers: { type: string }[] }
  const lag = triggers.filter(({ type }) => type === 'kafka')
  expect(lag).toHaveLength(2)
  for (const trigger of lag) expect(trigger).toMatchObject({ metadata, authenticationRef: { name: 'filmgate-dispatcher-kafka' } })
  expect(one('TriggerAuthentication', 'filmgate-dispatcher-kafka').spec).toEqual({ podIdentity: { provider: 'aws' } })
})

test('a client of an issuer of tokens has its id and secret in files, and KEDA the same client', async () => {
  const sasl = { mechanism: 'oauthbearer', tokenUrl: 'https://id.example/token', scope: 'kafka', existingSecret: 'kafka-client' }
  const { one } = await renderChart('media-probe', { 'keda.enabled': true, 'kafka.tls': tlsAlone, 'kafka.sasl': sasl })
  expect(settingsOf(one('ConfigMap').data)).toEqual({
    FILMGATE_KAFKA_SASL_MECHANISM: 'oauthbearer',
    FILMGATE_KAFKA_OAUTH_TOKEN_URL: 'https://id.example/token',
    FILMGATE_KAFKA_OAUTH_SCOPE: 'kafka',
    FILMGATE_KAFKA_SASL_USERNAME_FILE: '/etc/filmgate/kafka/username',
    FILMGATE_KAFKA_SASL_PASSWORD_FILE: '/etc/filmgate/kafka/password',
  })
  const spec = one('TriggerAuthentication', 'filmgate-media-probe-kafka').spec as { env: object[]; secretTargetRef: object[] }
  expect(spec.secretTargetRef).toEqual([
    { parameter: 'username', name: 'kafka-client', key: 'username' },
    { parameter: 'password', name: 'kafka-client', key: 'password' },
  ])
  expect(spec.env).toEqual(
    expect.arrayContaining([
      { parameter: 'oauthTokenEndpointUri', name: 'FILMGATE_KAFKA_OAUTH_TOKEN_URL', containerName: 'media-probe' },
      { parameter: 'scopes', name: 'FILMGATE_KAFKA_OAUTH_SCOPE', containerName: 'media-probe' },
    ]),
  )
})

test('where KEDA has no such login it scales by the backlog of jobs alone', async () => {
  const assertion = {
    mechanism: 'oauthbearer',
    tokenUrl: 'https://id.example/token',
    username: 'filmgate',
    assertionFile: '/var/run/secrets/azure/tokens/azure-identity-token',
  }
  for (const sasl of [{ mechanism: 'google-iam' }, { mechanism: 'oauthbearer', tokenFile: '/etc/token/kafka' }, assertion]) {
    const { one } = await renderChart('dispatcher', { 'keda.enabled': true, 'kafka.tls': tlsAlone, 'kafka.sasl': sasl })
    const { triggers } = one('ScaledObject').spec as { triggers: { type: string }[] }
    expect(triggers.map(({ type }) => type)).toEqual(['postgresql'])
    expect(one('TriggerAuthentication').metadata.name).toBe('filmgate-dispatcher')
    expect(podOf(one('Deployment')).volumes.map(({ name }) => name)).not.toContain('kafka')
  }
})

import { expect, test } from 'bun:test'
import { providers } from '../../providers'
import { renderChart } from './render-chart'

type Template = { metadata: { annotations: Record<string, string> }; spec: { volumes: object[]; containers: { volumeMounts: object[] }[] } }
const templateOf = (object: { spec: object }) => (object.spec as { template: Template }).template

test('prices, cards and routes in the values become ConfigMaps, and a change restarts the pods', async () => {
  const catalog = async (content: string) =>
    renderChart('catalog', { 'prices.content': content, 'cards.files': { 'new.yaml': 'model: new' } })
  const [before, after] = [await catalog('margin: 1.3'), await catalog('margin: 1.4')]
  expect(before.one('ConfigMap', 'filmgate-catalog-prices').data).toEqual({ 'prices.yaml': 'margin: 1.3' })
  expect(before.one('ConfigMap', 'filmgate-catalog-cards').data).toEqual({ 'new.yaml': 'model: new' })
  expect(before.one('ConfigMap', 'filmgate-catalog').data).toMatchObject({
    FILMGATE_PRICES_FILE: '/etc/filmgate/prices/prices.yaml',
    FILMGATE_CARDS_DIR: '/etc/filmgate/cards',
  })
  const [old, young] = [before, after].map(({ one }) => templateOf(one('Deployment')))
  expect(old?.spec.containers[0]?.volumeMounts).toContainEqual({ name: 'prices', mountPath: '/etc/filmgate/prices', readOnly: true })
  expect(old?.metadata.annotations['checksum/mounts']).not.toBe(young?.metadata.annotations['checksum/mounts'] as string)

  const dispatcher = await renderChart('dispatcher', { 'routes.files': { 'mine.yaml': 'routes: []' } })
  expect(dispatcher.one('ConfigMap', 'filmgate-dispatcher-routes').data).toEqual({ 'mine.yaml': 'routes: []' })
  expect(dispatcher.one('ConfigMap', 'filmgate-dispatcher').data).toMatchObject({
    FILMGATE_ROUTES_DIR: '/etc/filmgate/routes',
  })
})

test('each provider’s key is a mounted file named by the provider’s variable', async () => {
  const secrets = Object.fromEntries(Object.keys(providers).map(provider => [`providers.${provider}.existingSecret`, `of-${provider}`]))
  const { one } = await renderChart('dispatcher', secrets)
  const files = Object.fromEntries(
    Object.entries(providers).map(([provider, { key }]) => [`${key}_FILE`, `/etc/filmgate/providers/${provider}`]),
  )
  expect(one('ConfigMap', 'filmgate-dispatcher').data).toMatchObject(files)
  const { volumes } = templateOf(one('Deployment')).spec
  for (const provider of Object.keys(providers))
    expect(JSON.stringify(volumes)).toContain(
      JSON.stringify({ secret: { name: `of-${provider}`, items: [{ key: provider, path: provider }] } }),
    )
})

test('the operators file is mounted in each service with operators’ routes, and in no Job', async () => {
  const operators = { 'operator.listSecret': 'people', 'operator.listKey': 'list', 'operator.role': 'read' }
  for (const chart of ['gateway', 'ledger', 'media-probe', 'dispatcher', 'webhooks']) {
    const { one } = await renderChart(chart, operators)
    expect(one('ConfigMap', `filmgate-${chart}`).data).toMatchObject({
      FILMGATE_OPERATORS_FILE: '/etc/filmgate/operators/operators.json',
      FILMGATE_OPERATOR_TOKEN_ROLE: 'read',
    })
    const { volumes, containers } = templateOf(one('Deployment')).spec
    const items = [{ key: 'list', path: 'operators.json' }]
    expect(volumes).toContainEqual({ name: 'operators', secret: { secretName: 'people', defaultMode: 0o440, items } })
    expect(containers[0]?.volumeMounts).toContainEqual({ name: 'operators', mountPath: '/etc/filmgate/operators', readOnly: true })
    expect(JSON.stringify(templateOf(one('Job')).spec.volumes)).not.toContain('people')
  }
})

test('existing ConfigMaps are mounted as folders, so that changes reach running pods', async () => {
  const { one } = await renderChart('catalog', { 'prices.existingConfigMap': 'mine', 'prices.key': 'p.yaml' })
  const { spec, metadata } = templateOf(one('Deployment'))
  expect(spec.volumes).toContainEqual({ name: 'prices', configMap: { name: 'mine' } })
  expect(one('ConfigMap').data).toMatchObject({ FILMGATE_PRICES_FILE: '/etc/filmgate/prices/p.yaml' })
  expect(metadata.annotations).not.toHaveProperty('checksum/mounts')
})

test('a private CA and extra volumes are mounted in the server and its Jobs', async () => {
  const { one } = await renderChart('ledger', {
    privateCa: { existingSecret: 'authorities' },
    extraVolumes: [{ name: 'more', configMap: { name: 'more' } }],
    extraVolumeMounts: [{ name: 'more', mountPath: '/etc/more' }],
  })
  expect(one('ConfigMap').data).toMatchObject({ NODE_EXTRA_CA_CERTS: '/etc/filmgate/private-ca/ca.crt' })
  for (const { spec } of [templateOf(one('Deployment')), templateOf(one('Job'))]) {
    expect(spec.volumes).toContainEqual({
      name: 'private-ca',
      secret: { secretName: 'authorities', items: [{ key: 'ca.crt', path: 'ca.crt' }] },
    })
    expect(spec.containers[0]?.volumeMounts).toContainEqual({ name: 'more', mountPath: '/etc/more' })
  }
})

test('a service account has the configured annotations', async () => {
  const { one } = await renderChart('gateway', { 'serviceAccount.annotations': { 'iam.example/role': 'video' } })
  expect(one('ServiceAccount', 'filmgate-gateway').metadata.annotations).toEqual({ 'iam.example/role': 'video' })
})

test('registry and digest apply to servers, Jobs and the test', async () => {
  const digest = `sha256:${'1'.repeat(64)}`
  const { one } = await renderChart('filmgate', { 'global.image.registry': 'registry.example', 'gateway.image.digest': digest })
  type Pods = { template?: Template; containers?: { image: string }[] }
  const imageOf = (object: { spec: object }) => {
    const { template, containers } = object.spec as Pods
    return ((template?.spec.containers ?? containers) as { image: string }[])[0]?.image
  }
  for (const object of [one('Deployment', 'filmgate-gateway'), one('Job', 'filmgate-gateway-migrate'), one('Pod')])
    expect(imageOf(object)).toBe(`registry.example/filmgate/gateway@${digest}`)
  expect(imageOf(one('Job', 'filmgate-topics'))).toBe('registry.example/filmgate/catalog:0.1.0')
})

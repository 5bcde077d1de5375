import { expect, test } from 'bun:test'
import { renderChart } from './render-chart'

const deployment = async (set?: Record<string, unknown>) => (await renderChart('gateway', set)).one('Deployment')

test('replicas are set only without an autoscaler', async () => {
  expect((await deployment()).spec).not.toHaveProperty('replicas')
  expect((await deployment({ 'horizontalAutoscaler.enabled': false, replicas: 3 })).spec).toHaveProperty('replicas', 3)
})

test('rate limits are divided by the maximum number of replicas', async () => {
  const replicasMax = async (set?: Record<string, unknown>) =>
    ((await renderChart('gateway', set)).one('ConfigMap').data as Record<string, string>).FILMGATE_REPLICAS_MAX
  expect(await replicasMax()).toBe('10')
  expect(await replicasMax({ 'horizontalAutoscaler.maxReplicas': 40 })).toBe('40')
  expect(await replicasMax({ 'horizontalAutoscaler.enabled': false, replicas: 3 })).toBe('3')
  expect(await replicasMax({ 'horizontalAutoscaler.enabled': false, replicas: null })).toBe('10')
})

test('a request of 250 s can finish during shutdown', async () => {
  expect((await deployment()).spec).toMatchObject({
    template: { spec: { terminationGracePeriodSeconds: 330, containers: [{ lifecycle: { preStop: { sleep: { seconds: 5 } } } }] } },
  })
})

test('liveness of the gateway depends on no backend', async () => {
  expect((await deployment()).spec).toMatchObject({
    template: {
      spec: { containers: [{ livenessProbe: { httpGet: { path: '/healthz' } }, readinessProbe: { httpGet: { path: '/readyz' } } }] },
    },
  })
})

test('the gateway carries no token of the API server', async () => {
  expect((await deployment()).spec).toHaveProperty('template.spec.automountServiceAccountToken', false)
})

test('its pods restart only when a setting changes', async () => {
  const checksum = async (set?: Record<string, unknown>) =>
    ((await deployment(set)).spec as { template: { metadata: { annotations: Record<string, string> } } }).template.metadata.annotations[
      'checksum/config'
    ]
  expect(await checksum()).toMatch(/^[0-9a-f]{64}$/)
  expect(await checksum()).toBe(await checksum())
  expect(await checksum({ 'config.FILMGATE_RATE_LIMIT': 61 })).not.toBe(await checksum())
})

test('only clients’ and providers’ paths and the reference are published, with a timeout for the longest POST', async () => {
  const { one } = await renderChart('gateway', { 'ingress.enabled': true, 'ingress.controller': 'nginx' })
  const { spec, metadata } = one('Ingress')
  const rules = (spec as { rules: { http: { paths: { path: string }[] } }[] }).rules
  expect(rules[0]?.http.paths.map(({ path }) => path)).toEqual([
    '/',
    '/api/v1',
    '/openai/v1',
    '/hooks',
    '/docs',
    '/llms.txt',
    '/llms-full.txt',
    '/openapi.json',
    '/.well-known/oauth-authorization-server',
    '/.well-known/security.txt',
  ])
  // The first is the reference only.
  expect(rules[0]?.http.paths[0]).toMatchObject({ pathType: 'Exact' })
  expect(metadata.annotations['nginx.ingress.kubernetes.io/proxy-read-timeout']).toBe('300')
})

const gatewayApi = { 'httpRoute.parentRefs': [{ name: 'public' }], 'networkPolicy.ingressFrom': [{ podSelector: {} }] }

test('contour has the same timeout', async () => {
  const { one } = await renderChart('gateway', { 'ingress.enabled': true, 'ingress.controller': 'contour' })
  expect(one('Ingress').metadata.annotations['projectcontour.io/response-timeout']).toBe('300s')
})

test('the Gateway API has the same timeout', async () => {
  const { one } = await renderChart('gateway', { 'httpRoute.enabled': true, ...gatewayApi })
  expect(one('HTTPRoute').spec).toMatchObject({ rules: [{ timeouts: { request: '300s' } }] })
})

test('pods admit the proxies of the controller that is named, those of an address list, or nobody', async () => {
  const proxies = async (set: Record<string, unknown>) => {
    const { one, failure } = await renderChart('gateway', set)
    if (failure) return failure
    const { ingress } = one('NetworkPolicy', 'filmgate-gateway').spec as { ingress: { from: unknown[] }[] }
    return ingress.map(({ from }) => from[0])
  }
  const [test] = (await proxies({})) as unknown[]
  expect(test).toMatchObject({ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'acceptance' } } })
  const namespaces = { nginx: 'ingress-nginx', contour: 'projectcontour', traefik: 'traefik', haproxy: 'haproxy-controller' }
  for (const [controller, namespace] of Object.entries(namespaces)) {
    const from = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } }
    expect(await proxies({ 'ingress.enabled': true, 'ingress.controller': controller })).toEqual([from, test])
  }
  const own = { 'networkPolicy.ingressFrom': [{ ipBlock: { cidr: '10.0.0.0/24' } }] }
  expect(await proxies({ 'ingress.enabled': true, 'ingress.controller': 'alb', ...own })).toEqual([
    { ipBlock: { cidr: '10.0.0.0/24' } },
    test,
  ])
  expect(await proxies({ 'ingress.enabled': true })).toContain('set networkPolicy.ingressFrom')
  expect(await proxies({ 'httpRoute.enabled': true, 'httpRoute.parentRefs': [{ name: 'public' }] })).toContain(
    'set networkPolicy.ingressFrom',
  )
  const unpoliced = { 'networkPolicy.enabled': false, 'ingress.enabled': true }
  expect((await renderChart('gateway', unpoliced)).failure).toBeUndefined()
})

test('a route without a timeout leaves it to a policy of its Gateway', async () => {
  const { one } = await renderChart('gateway', { 'httpRoute.enabled': true, 'httpRoute.readTimeoutSeconds': 0, ...gatewayApi })
  expect(JSON.stringify(one('HTTPRoute').spec)).not.toContain('timeouts')
})

test('the database is migrated before pods are replaced', async () => {
  const { one } = await renderChart('gateway')
  expect(one('Job').metadata).toMatchObject({
    name: 'filmgate-gateway-migrate',
    annotations: { 'helm.sh/hook': 'pre-install,pre-upgrade' },
  })
})

test('egress to public addresses is open only for the keys of signed callbacks', async () => {
  const policyAndEnv = async (set?: Record<string, unknown>) => {
    const { one } = await renderChart('gateway', set)
    const text = JSON.stringify([one('NetworkPolicy', 'filmgate-gateway').spec, one('ConfigMap').data])
    return [text.includes('0.0.0.0/0'), text.includes('FILMGATE_FAL_JWKS_URL'), text.includes('FILMGATE_FAL_USER_ID')]
  }
  const jwks = { 'callbacks.fal.jwksUrl': 'https://rest.fal.ai/.well-known/jwks.json' }
  expect(await policyAndEnv()).toEqual([false, false, false])
  expect(await policyAndEnv(jwks)).toEqual([true, true, false])
  expect(await policyAndEnv({ ...jwks, 'callbacks.fal.userId': 'usr_1' })).toEqual([true, true, true])
})

test('each secret of ours has beside it what is accepted while it is rotated, of the same Secret', async () => {
  const spec = (await deployment({ 'console.existingSecret': 'console-token' })).spec as {
    template: {
      spec: { containers: { env: { name: string; valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } } }[] }[] }
    }
  }
  const env = spec.template.spec.containers[0]?.env ?? []
  const accepted = env.filter(({ name }) => name.endsWith('_ACCEPTED'))
  expect(accepted.map(({ name }) => name.replace('_ACCEPTED', '')).toSorted()).toEqual([
    'FILMGATE_ATTEMPT_SECRET',
    'FILMGATE_CONSOLE_TOKEN',
    'FILMGATE_KEY_PEPPER',
    'FILMGATE_OPERATOR_TOKEN',
  ])
  for (const { name, valueFrom } of accepted) {
    const own = env.find(each => each.name === name.replace('_ACCEPTED', ''))?.valueFrom?.secretKeyRef
    expect(valueFrom?.secretKeyRef).toEqual({ name: own?.name ?? '', key: `${own?.key}-accepted`, optional: true })
  }
})

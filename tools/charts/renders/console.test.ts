import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../stack/instance'
import { renderChart } from './render-chart'

type Rules = { rules: { host?: string; http: { paths: { path: string; pathType: string }[] } }[] }

const published = async () => {
  const { one } = await renderChart('console', { 'ingress.enabled': true, 'ingress.controller': 'traefik' })
  return (one('Ingress').spec as Rules).rules[0]
}

/** The console's source files. */
function sourceTexts(): string[] {
  const src = join(root, 'services/console/src')
  const files = [...new Bun.Glob('**/*.ts').scanSync(src)].filter(file => !/\.test\.ts$|testing\//.test(file))
  return files.map(file => readFileSync(join(src, file), 'utf8'))
}

// tests/e2e/console/tenants.test.ts compares the pages with the running console's routes.
test('the console is published under its own host at / only, without health and metrics', async () => {
  const rule = await published()
  expect(rule?.host).toBe('console.filmgate.example')
  const paths = rule?.http.paths ?? []
  expect(paths.filter(({ pathType }) => pathType === 'Exact').map(({ path }) => path)).toEqual(['/'])
  for (const inside of ['/healthz', '/readyz', '/metrics']) expect(paths.map(({ path }) => path)).not.toContain(inside)
})

test('the Gateway API publishes the same', async () => {
  const { one } = await renderChart('console', {
    'httpRoute.enabled': true,
    'httpRoute.parentRefs': [{ name: 'public' }],
    'networkPolicy.ingressFrom': [{ podSelector: {} }],
  })
  const { hostnames, rules } = one('HTTPRoute').spec as { hostnames: string[]; rules: { matches: { path: { value: string } }[] }[] }
  expect(hostnames).toEqual(['console.filmgate.example'])
  expect(rules[0]?.matches.map(({ path }) => path.value)).toEqual((await published())?.http.paths.map(({ path }) => path) ?? [])
})

test('a form is sent to a second pod only if the first did not receive it', async () => {
  const { one } = await renderChart('console', { 'ingress.enabled': true, 'ingress.controller': 'nginx' })
  expect(one('Ingress').metadata.annotations['nginx.ingress.kubernetes.io/proxy-next-upstream']).toBe('error')
})

test('it has its own URL, the gateway’s, and the origins of videos', async () => {
  const { one } = await renderChart('console', { 'ingress.enabled': true, 'ingress.controller': 'traefik' })
  expect(one('ConfigMap').data).toMatchObject({
    FILMGATE_CONSOLE_URL: 'https://console.filmgate.example',
    FILMGATE_API_URL: 'https://api.filmgate.example/api/v1',
    FILMGATE_GATEWAY_URL: 'http://filmgate-gateway',
    FILMGATE_OUTPUT_ORIGINS: 'https://outputs.filmgate.example',
    FILMGATE_TRUSTED_PROXIES: '1',
    S3_UPLOADS_BUCKET: 'filmgate-uploads',
  })
})

test('all its secrets come from Secrets', async () => {
  const everything = {
    mail: { from: 'no-reply@example.com', existingSecret: 'mail' },
    oidc: { issuer: 'https://id.example', clientId: 'filmgate', name: 'Example', existingSecret: 'oidc' },
    stripe: { existingSecret: 'stripe' },
    operators: { content: '[]', tokenSecret: 'operate' },
  }
  const { one } = await renderChart('console', everything)
  const text = JSON.stringify(one('Deployment').spec)
  const read = sourceTexts().flatMap(source =>
    [...source.matchAll(/'([A-Z0-9_]+)', (?:optional\()?secret\(/g)].map(([, name = '']) => name),
  )
  expect(read).toContain('FILMGATE_CONSOLE_TOKEN')
  expect(
    [...read, 'FILMGATE_SMTP_URL', 'FILMGATE_STRIPE_SECRET_KEY'].filter(name => !text.includes(`"name":"${name}","valueFrom"`)),
  ).toEqual([])
})

test('egress to public addresses is open only for mail, OIDC or Stripe', async () => {
  const worldOf = async (set?: Record<string, unknown>) =>
    JSON.stringify((await renderChart('console', set)).one('NetworkPolicy', 'filmgate-console').spec).includes('0.0.0.0/0')
  expect(await worldOf()).toBe(false)
  expect(await worldOf({ 'mail.existingSecret': 'mail', 'mail.from': 'no-reply@example.com' })).toBe(true)
  const oidc = { issuer: 'https://id.example', clientId: 'filmgate', name: 'Example', existingSecret: 'oidc' }
  expect(await worldOf({ oidc })).toBe(true)
  expect(await worldOf({ 'stripe.existingSecret': 'stripe' })).toBe(true)
})

test('it calls services beside the gateway only for the configured operators, with an operator token', async () => {
  const asked = async (set?: Record<string, unknown>) => {
    const { one } = await renderChart('console', set)
    const text = JSON.stringify([
      one('NetworkPolicy', 'filmgate-console').spec,
      one('Deployment').spec,
      one('ConfigMap', 'filmgate-console').data,
    ])
    return ['ledger', 'media-probe', 'dispatcher', 'FILMGATE_OPERATOR_TOKEN', 'FILMGATE_CONSOLE_OPERATORS_FILE'].filter(word =>
      text.includes(word),
    )
  }
  expect(await asked()).toEqual([])
  const operators = { content: '[]', tokenSecret: 'operate' }
  expect(await asked({ operators })).toHaveLength(5)
})

test('the gateway serves the console’s internal API only with its token, and never publishes it', async () => {
  const consoleApiOf = async (set: Record<string, unknown>) => {
    const { one } = await renderChart('gateway', { 'ingress.enabled': true, 'ingress.controller': 'traefik', ...set })
    const { rules } = one('Ingress').spec as Rules
    expect(rules.flatMap(({ http }) => http.paths).filter(({ path }) => path.startsWith('/console'))).toEqual([])
    return [one('Deployment').spec, one('NetworkPolicy', 'filmgate-gateway').spec].map(spec =>
      /FILMGATE_CONSOLE_TOKEN|"app.kubernetes.io\/name":"console"/.test(JSON.stringify(spec)),
    )
  }
  expect(await consoleApiOf({})).toEqual([false, false])
  expect(await consoleApiOf({ 'console.existingSecret': 'console' })).toEqual([true, true])
})

test('a release has a console only if enabled, and then both share one Secret for the internal API', async () => {
  const plain = await renderChart('filmgate')
  expect(() => plain.one('Deployment', 'filmgate-console')).toThrow('0 of Deployment')
  const { one } = await renderChart('filmgate', {
    'console.enabled': true,
    'console.apiUrl': 'https://api.example/api/v1',
    'global.console': { url: 'https://console.example', existingSecret: 'console-token' },
  })
  const token = { name: 'FILMGATE_CONSOLE_TOKEN', valueFrom: { secretKeyRef: { name: 'console-token', key: 'token' } } }
  for (const service of ['console', 'gateway'])
    expect(JSON.stringify(one('Deployment', `filmgate-${service}`).spec)).toContain(JSON.stringify(token))
  expect(one('ConfigMap', 'filmgate-gateway').data).toMatchObject({ FILMGATE_CONSOLE_URL: 'https://console.example' })
})

test('its alerts exist only with the console', async () => {
  const observed = { 'alerts.enabled': true, 'global.serviceMonitor.enabled': true }
  const rules = async (set: Record<string, unknown>) =>
    JSON.stringify((await renderChart('filmgate', { ...observed, ...set })).one('PrometheusRule').spec)
  expect(await rules({})).not.toContain('onsole')
  const release = {
    'console.enabled': true,
    'console.apiUrl': 'https://api.example/api/v1',
    'global.console': { url: 'https://console.example', existingSecret: 'console-token' },
  }
  expect(await rules(release)).toContain('filmgate-console')
})

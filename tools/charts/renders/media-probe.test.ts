import { expect, test } from 'bun:test'
import { renderChart } from './render-chart'

const privateRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

test('the probe reaches public addresses only, and accepts no connections', async () => {
  const { one } = await renderChart('media-probe')
  const { spec } = one('NetworkPolicy', 'filmgate-media-probe')
  expect((spec as { egress: unknown[] }).egress).toContainEqual({
    to: [{ ipBlock: { cidr: '0.0.0.0/0', except: privateRanges } }, { ipBlock: { cidr: '2000::/3', except: ['2001::/32', '2002::/16'] } }],
    ports: [{ protocol: 'TCP', port: 443 }],
  })
  expect(spec).toHaveProperty('ingress', [])
})

test('its memory covers measuring and posters, 512Mi + 2 × 1280Mi + 640Mi', async () => {
  const { one } = await renderChart('media-probe')
  expect(one('ConfigMap').data.FILMGATE_MEASURES_MAX).toBe('2')
  expect(one('Deployment').spec).toMatchObject({ template: { spec: { containers: [{ resources: { limits: { memory: '3712Mi' } } }] } } })
})

test('its User-Agent has the contact of the operator, its own before the one that all share', async () => {
  const contactOf = async (values: Record<string, string>) =>
    (await renderChart('media-probe', values)).one('ConfigMap').data.FILMGATE_FETCH_CONTACT
  const shared = { 'global.fetch.contact': 'media@filmgate.example' }
  expect(await contactOf({})).toBeUndefined()
  expect(await contactOf(shared)).toBe('media@filmgate.example')
  expect(await contactOf({ ...shared, 'fetch.contact': 'https://filmgate.example/bot' })).toBe('https://filmgate.example/bot')
})

test('it is scaled by waiting jobs and lag, up to its partitions', async () => {
  const { one } = await renderChart('media-probe', { 'keda.enabled': true })
  expect(one('ScaledObject').spec).toMatchObject({
    maxReplicaCount: 12,
    triggers: [{ type: 'postgresql' }, { metadata: { topic: 'filmgate.credits.v1', consumerGroup: 'filmgate.media-probe.verify' } }],
  })
  const { failure } = await renderChart('media-probe', { 'keda.enabled': true, 'keda.maxReplicas': 13 })
  expect(failure).toContain('12 partitions')
})

import { join } from 'node:path'
import { root } from '../stack/instance'
import { serviceCharts } from './values-schema'

/** One way to install a chart: the files and the settings over them. */
export type ValueSet = { name: string; chart: string; files: string[]; set: string[] }

const chart = (name: string) => join(root, 'charts', name)
const umbrella = chart('filmgate')
const example = (name: string) => join(umbrella, 'examples', name, 'values.yaml')
const own = (name: string, ...set: string[]): ValueSet => ({ name, chart: umbrella, files: [example('default')], set })
const alone = (name: string, ...set: string[]): ValueSet => ({
  name: `${name} alone ${set.join(' ')}`.trim(),
  chart: chart(name),
  files: [join(chart(name), 'ci/alone.yaml')],
  set,
})

/** Every switch of the charts at least once, in either position. */
export const valueSets: ValueSet[] = [
  ...['default', 'single-node', 'production', 'gateway-api'].map(name => ({ name, chart: umbrella, files: [example(name)], set: [] })),
  ...serviceCharts.map(name => alone(name)),
  ...serviceCharts.map(name => alone(name, 'serviceMonitor.enabled=true', 'telemetry.otlpEndpoint=http://collector:4318')),
  ...serviceCharts.map(name => alone(name, 'networkPolicy.enabled=false', 'disruptionBudget.enabled=false')),
  alone('gateway', 'horizontalAutoscaler.enabled=false', 'replicas=3'),
  alone('gateway', 'retention.enabled=false', 'migrations.enabled=false'),
  ...['nginx', 'contour', 'traefik', 'haproxy', ''].map(name =>
    alone('gateway', 'ingress.enabled=true', `ingress.controller=${name}`, 'ingress.hosts={a.example,b.example}', 'ingress.tlsSecret=tls'),
  ),
  alone('gateway', 'ingress.enabled=true'),
  alone('ledger', 'audit.enabled=false'),
  alone('ledger', 'replicas=null'),
  alone('media-probe', 'keda.enabled=true', 'networkPolicy.worldPorts={443,8443}', 'networkPolicy.worldExcept={198.51.100.0/24}'),
  alone('dispatcher', 'keda.enabled=true', 'kafka.partitions=48', 'keda.maxReplicas=48'),
  alone('dispatcher', 'simulatorMaker.enabled=true', 'simulatorMaker.url=http://maker:8080'),
  alone(
    'dispatcher',
    'secretEnv.SIMULATOR_KEY.existingSecret=makers',
    'secretEnv.SIMULATOR_KEY.key=simulator',
    'config.FILMGATE_POLLS_MAX=100',
  ),
  alone('catalog', `image.digest=sha256:${'0'.repeat(64)}`, 'image.registry=registry.example', 'image.pullSecrets={one,two}'),
  own('defaults without deny, topics and test', 'defaultDeny.enabled=false', 'topics.enabled=false', 'test.enabled=false'),
  own(
    'everything observed',
    'alerts.enabled=true',
    'dashboards.enabled=true',
    'global.telemetry.otlpEndpoint=http://collector.observability.svc:4318',
  ),
  own('a registry of one’s own', 'global.image.registry=registry.example', 'global.image.tag=1.2.3', 'global.image.pullSecrets={pull}'),
  own('a test from outside', 'test.url=https://203.0.113.9', 'test.host=api.example', 'test.to[0].ipBlock.cidr=203.0.113.9/32'),
  own(
    'placed',
    'gateway.nodeSelector.pool=api',
    'gateway.priorityClassName=api',
    'gateway.podLabels.team=video',
    'gateway.podAnnotations.note=here',
  ),
]

/** Values that must be refused, by what the refusal says. */
export const refusedValues: { set: string[]; chart: string; files: string[]; words: RegExp }[] = [
  { ...own('', 'gatway.replicas=2'), words: /gatway/ },
  { ...own('', 'gateway.replcas=2'), words: /replcas/ },
  { ...own('', 'global.kafka.broker=x'), words: /broker/ },
  { ...own('', 'gateway.shutdown.graceSeconds=30'), words: /graceSeconds/ },
  { ...own('', 'gateway.image.pullPolicy=Sometimes'), words: /pullPolicy/ },
  { ...own('', 'global.kafka.brokers='), words: /kafka\.brokers/ },
  { ...alone('dispatcher', 'keda.enabled=true', 'keda.maxReplicas=13'), words: /12 partitions/ },
  { ...alone('gateway', 'ingress.enabled=true', 'ingress.readTimeoutSeconds=60'), words: /readTimeoutSeconds/ },
  { ...alone('gateway', 'httpRoute.enabled=true'), words: /parentRefs/ },
  { ...alone('gateway', 'horizontalAutoscaler.maxReplicas=1'), words: /maxReplicas/ },
]

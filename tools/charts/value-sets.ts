import { join } from 'node:path'
import { providers } from '../providers'
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

const kafkaTls = ['kafka.tls.enabled=true', 'kafka.tls.ca.existingConfigMap=authorities']
const scram = ['kafka.sasl.mechanism=scram-sha-512', 'kafka.sasl.existingSecret=kafka-user']
/** As Strimzi's Secret of a user has it: the password, and the name nowhere. */
const plain = ['kafka.tls.enabled=true', 'kafka.sasl.mechanism=plain', 'kafka.sasl.existingSecret=kafka-user', 'kafka.sasl.username=line']
const mailed = ['mail.existingSecret=console', 'mail.from=no-reply@example.com']
const oidc = [
  'oidc.issuer=https://id.example',
  'oidc.clientId=filmgate',
  'oidc.name=Example',
  'oidc.existingSecret=console',
  'oidc.secondFactor=true',
]
const mounted = [
  'privateCa.existingSecret=authorities',
  'extraVolumes[0].name=more',
  'extraVolumes[0].configMap.name=more',
  'extraVolumeMounts[0].name=more',
  'extraVolumeMounts[0].mountPath=/etc/more',
  'serviceAccount.annotations.role=video',
]

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
  alone('gateway', 'callbacks.fal.jwksUrl=https://rest.fal.ai/.well-known/jwks.json'),
  alone(
    'gateway',
    'callbacks.fal.jwksUrl=https://keys.example/fal',
    'callbacks.fal.userId=usr_1',
    'httpRoute.enabled=true',
    'httpRoute.parentRefs[0].name=public',
  ),
  alone('gateway', 'operator.role=read', 'operator.listSecret=operators', 'operator.listKey=people.json'),
  alone('gateway', 'console.existingSecret=console', 'console.url=https://console.example', 'starterCredits=100'),
  alone('console', 'horizontalAutoscaler.enabled=false', 'replicas=3', 'migrations.enabled=false', 'gatewayUrl=http://gateway:4100'),
  alone(
    'console',
    'ingress.enabled=true',
    'ingress.controller=nginx',
    'ingress.tlsSecret=tls',
    'outputOrigins={https://a.example,https://b.example}',
  ),
  alone(
    'console',
    'ingress.enabled=true',
    'ingress.controller=contour',
    'ingress.hosts={a.example,b.example}',
    'trustedProxies=2',
    'objectStore.publicEndpoint=https://s3.example',
  ),
  alone('console', 'httpRoute.enabled=true', 'httpRoute.parentRefs[0].name=public', ...mailed),
  alone('console', 'stripe.existingSecret=console', 'packs.content=packs: []'),
  alone('console', 'stripe.existingSecret=console', 'packs.existingConfigMap=packs', 'packs.key=p.yaml'),
  alone('console', 'operators.content=[]', 'operators.tokenSecret=console', 'packs.existingConfigMap=packs'),
  alone('console', 'operators.existingConfigMap=people', 'operators.key=p.json', 'operators.tokenSecret=console'),
  alone('console', ...oidc, 'networkPolicy.worldExcept={198.51.100.0/24}'),
  alone('ledger', 'audit.enabled=false'),
  alone('ledger', 'replicas=null'),
  alone('media-probe', 'keda.enabled=true', 'networkPolicy.worldPorts={443,8443}', 'networkPolicy.worldExcept={198.51.100.0/24}'),
  alone('dispatcher', 'keda.enabled=true', 'kafka.partitions=48', 'keda.maxReplicas=48'),
  alone('dispatcher', 'simulatorProvider.enabled=true', 'simulatorProvider.url=http://provider:8080'),
  alone('dispatcher', 'providers.fal.existingSecret=providers'),
  alone(
    'dispatcher',
    'providers.fal.existingSecret=providers',
    'providers.runware.existingSecret=others',
    'providers.runware.key=runware-key',
  ),
  alone('dispatcher', ...Object.keys(providers).map(provider => `providers.${provider}.existingSecret=providers`)),
  alone('dispatcher', 'providers.fal.existingSecret=providers', 'providers.fal.key=fal-key', 'simulatorProvider.enabled=true'),
  alone(
    'dispatcher',
    'secretEnv.SIMULATOR_KEY.existingSecret=providers',
    'secretEnv.SIMULATOR_KEY.key=simulator',
    'config.FILMGATE_POLLS_MAX=100',
  ),
  alone('catalog', `image.digest=sha256:${'0'.repeat(64)}`, 'image.registry=registry.example', 'image.pullSecrets={one,two}'),
  own('defaults without deny, topics and test', 'defaultDeny.enabled=false', 'topics.enabled=false', 'test.enabled=false'),
  own(
    'everything observed',
    'alerts.enabled=true',
    'global.serviceMonitor.enabled=true',
    'dashboards.enabled=true',
    'global.telemetry.otlpEndpoint=http://collector.observability.svc:4318',
  ),
  ...serviceCharts.map(name => alone(name, ...mounted)),
  alone('catalog', 'prices.existingConfigMap=prices', 'cards.existingConfigMap=cards'),
  alone('catalog', 'prices.content=margin: 1.4', 'cards.files.new\\.yaml=model: new'),
  alone('dispatcher', 'routes.existingConfigMap=routes', 'routes.key=r.json', ...kafkaTls, ...scram, 'keda.enabled=true'),
  alone('dispatcher', 'routes.content=[]', ...plain, 'keda.enabled=true'),
  alone('media-probe', 'kafka.tls.enabled=true', 'kafka.tls.clientCertificate.existingSecret=kafka-client', 'keda.enabled=true'),
  own('a managed Kafka and prices', ...[...kafkaTls, ...scram].map(one => `global.${one}`), 'catalog.prices.content=margin: 1.4'),
  own('an authority of one’s own', 'global.privateCa.existingConfigMap=authorities', 'global.privateCa.key=all.pem'),
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
  { ...own('', 'alerts.enabled=true', 'gateway.serviceMonitor.enabled=true'), words: /alerts\.enabled needs \S+\.serviceMonitor\.enabled/ },
  { ...alone('ledger', 'kafka.tls.ca.existingSecret=ca'), words: /need kafka\.tls\.enabled/ },
  { ...alone('ledger', 'kafka.tls.enabled=true', 'kafka.tls.ca.key=ca.pem'), words: /existingSecret or existingConfigMap/ },
  { ...alone('ledger', 'kafka.sasl.mechanism=plain', 'kafka.sasl.existingSecret=user'), words: /in clear/ },
  { ...alone('ledger', 'kafka.sasl.mechanism=gssapi', 'kafka.sasl.existingSecret=user'), words: /mechanism/ },
  { ...alone('ledger', 'kafka.sasl.mechanism=scram-sha-512'), words: /kafka\.sasl\.existingSecret/ },
  { ...alone('ledger', 'privateCa.key=ca.pem'), words: /privateCa names/ },
  { ...alone('gateway', 'ingress.enabled=true', 'ingress.readTimeoutSeconds=60'), words: /readTimeoutSeconds/ },
  { ...alone('gateway', 'httpRoute.enabled=true'), words: /parentRefs/ },
  { ...alone('gateway', 'horizontalAutoscaler.maxReplicas=1'), words: /maxReplicas/ },
  { ...alone('console', 'console.existingSecret='), words: /console\.existingSecret/ },
  { ...alone('console', 'console.url='), words: /console\.url/ },
  { ...alone('console', 'console.url=https://console.example/'), words: /url/ },
  { ...alone('console', 'apiUrl='), words: /apiUrl/ },
  { ...alone('console', 'mail.existingSecret=console'), words: /mail\.from/ },
  { ...alone('console', 'oidc.issuer=https://id.example', 'oidc.clientId=filmgate', 'oidc.name=Example'), words: /oidc\.existingSecret/ },
  { ...alone('console', 'operators.content=[]'), words: /operators\.tokenSecret/ },
  { ...own('', 'console.enabled=true'), words: /console\.url/ },
]

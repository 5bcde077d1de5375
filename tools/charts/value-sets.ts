import { join } from 'node:path'
import { providers } from '../providers'
import { root } from '../stack/instance'
import { serviceCharts } from './values-schema'

/** A way to install a chart: value files and settings that override them. */
export type ValueSet = { name: string; chart: string; files: string[]; set: string[] }

const chart = (name: string) => join(root, 'charts', name)
const umbrella = chart('filmgate')
const example = (name: string) => join(umbrella, 'examples', name, 'values.yaml')
const umbrellaSet = (name: string, ...set: string[]): ValueSet => ({ name, chart: umbrella, files: [example('default')], set })
const standalone = (name: string, ...set: string[]): ValueSet => ({
  name: `${name} alone ${set.join(' ')}`.trim(),
  chart: chart(name),
  files: [join(chart(name), 'ci/alone.yaml')],
  set,
})

const kafkaTls = ['kafka.tls.enabled=true', 'kafka.tls.ca.existingConfigMap=authorities']
const scram = ['kafka.sasl.mechanism=scram-sha-512', 'kafka.sasl.existingSecret=kafka-user']
/** As in Strimzi's user Secrets: a password without the user name. */
const plain = ['kafka.tls.enabled=true', 'kafka.sasl.mechanism=plain', 'kafka.sasl.existingSecret=kafka-user', 'kafka.sasl.username=line']
const tokens = (...sasl: string[]) => ['tls.enabled=true', ...sasl.map(one => `sasl.${one}`)].map(one => `kafka.${one}`)
const msk = tokens('mechanism=aws-msk-iam', 'region=eu-central-1')
const oauth = ['mechanism=oauthbearer', 'tokenUrl=https://id.example/token', 'scope=kafka']
const mailed = ['mail.existingSecret=console', 'mail.from=no-reply@example.com']
const proxies = ['networkPolicy.ingressFrom[0].namespaceSelector.matchLabels.proxies=here']
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

const knobs = (name: string, ...files: string[]): ValueSet => ({
  ...standalone(name),
  name: `${name} with every value of ${files.join(', ')}`,
  files: [join(chart(name), 'ci/alone.yaml'), ...files.map(file => join(root, 'tools/charts/knobs', `${file}.yaml`))],
})
/** The examples of load balancers and controllers. */
export const edges = ['traefik', 'haproxy', 'alb', 'gce', 'gke-gateway']
/** Kinds of clouds that `extraObjects` bring have no definition here. */
const edge = (name: string): ValueSet => ({
  name: `published by ${name}`,
  chart: umbrella,
  files: [join(umbrella, 'examples/edges', `${name}.yaml`)],
  set: ['gateway.extraObjects=null'],
})

/** Each switch of the charts in both positions. */
export const valueSets: ValueSet[] = [
  ...['default', 'single-node', 'production', 'aws', 'gcp', 'azure', 'bare'].map(name => ({
    name,
    chart: umbrella,
    files: [example(name)],
    set: [],
  })),
  ...serviceCharts.map(name => standalone(name)),
  ...['ledger', 'catalog', 'simulator', 'webhooks'].map(name => knobs(name, 'pods', 'server')),
  ...['gateway', 'console'].map(name => knobs(name, 'pods', 'server', 'published')),
  ...['media-probe', 'dispatcher'].map(name => knobs(name, 'pods', 'server', 'backlog')),
  ...edges.map(edge),
  ...serviceCharts.map(name => standalone(name, 'serviceMonitor.enabled=true', 'telemetry.otlpEndpoint=http://collector:4318')),
  ...serviceCharts.map(name => standalone(name, 'networkPolicy.enabled=false', 'disruptionBudget.enabled=false')),
  standalone('gateway', 'horizontalAutoscaler.enabled=false', 'replicas=3'),
  standalone('gateway', 'retention.enabled=false', 'migrations.enabled=false', 'recovery=true'),
  ...['nginx', 'contour', 'traefik', 'haproxy', 'alb', ''].map(name =>
    standalone(
      'gateway',
      'ingress.enabled=true',
      `ingress.controller=${name}`,
      'ingress.hosts={a.example,b.example}',
      'ingress.tlsSecret=tls',
      ...proxies,
    ),
  ),
  standalone('gateway', 'ingress.enabled=true', 'ingress.controller=traefik', 'networkPolicy.dns.to[0].ipBlock.cidr=169.254.20.10/32'),
  standalone('gateway', 'serviceAccount.create=false', 'serviceAccount.name=theirs'),
  standalone(
    'gateway',
    'objectStore.endpoint=http://store:9000',
    'objectStore.existingSecret=store',
    'objectStore.outputBaseUrl=https://o.example',
  ),
  standalone('gateway', 'callbacks.fal.jwksUrl=https://rest.fal.ai/.well-known/jwks.json'),
  standalone(
    'gateway',
    'callbacks.fal.jwksUrl=https://keys.example/fal',
    'callbacks.fal.userId=usr_1',
    'httpRoute.enabled=true',
    'httpRoute.parentRefs[0].name=public',
    ...proxies,
  ),
  standalone('gateway', 'operator.role=read', 'operator.listSecret=operators', 'operator.listKey=people.json'),
  standalone('gateway', 'console.existingSecret=console', 'console.url=https://console.example', 'starterCredits=100'),
  standalone('console', 'horizontalAutoscaler.enabled=false', 'replicas=3', 'migrations.enabled=false', 'gatewayUrl=http://gateway:4100'),
  standalone(
    'console',
    'ingress.enabled=true',
    'ingress.controller=nginx',
    'ingress.tlsSecret=tls',
    'outputOrigins={https://a.example,https://b.example}',
  ),
  standalone(
    'console',
    'ingress.enabled=true',
    'ingress.controller=contour',
    'ingress.hosts={a.example,b.example}',
    'trustedProxies=2',
    'objectStore.publicEndpoint=https://s3.example',
  ),
  standalone('console', 'httpRoute.enabled=true', 'httpRoute.parentRefs[0].name=public', ...proxies, ...mailed),
  standalone('console', 'billingContact=billing@example.com'),
  standalone('console', 'stripe.existingSecret=console', 'packs.content=packs: []'),
  standalone('console', 'stripe.existingSecret=console', 'packs.existingConfigMap=packs', 'packs.key=p.yaml'),
  standalone('console', 'operators.content=[]', 'operators.tokenSecret=console', 'packs.existingConfigMap=packs'),
  standalone('console', 'operators.existingConfigMap=people', 'operators.key=p.json', 'operators.tokenSecret=console'),
  standalone('console', ...oidc, 'networkPolicy.worldExcept={198.51.100.0/24}'),
  standalone('gateway', 'webhooks.existingSecret=webhooks', 'webhooks.tokenKey=gateway'),
  standalone('webhooks', 'webhooks.secretKeyKey=aes', 'networkPolicy.worldExcept={198.51.100.0/24}'),
  standalone('ledger', 'audit.enabled=false'),
  standalone('ledger', 'database.directKey=direct-url', 'networkPolicy.pooler.port=6543'),
  standalone('ledger', 'replicas=null'),
  standalone('media-probe', 'keda.enabled=true', 'networkPolicy.worldPorts={443,8443}', 'networkPolicy.worldExcept={198.51.100.0/24}'),
  standalone('dispatcher', 'keda.enabled=true', 'kafka.partitions=48', 'keda.maxReplicas=48'),
  standalone('dispatcher', 'simulatorProvider.enabled=true', 'simulatorProvider.url=http://provider:8080'),
  standalone('dispatcher', 'providers.fal.existingSecret=providers'),
  standalone(
    'dispatcher',
    'providers.fal.existingSecret=providers',
    'providers.runware.existingSecret=others',
    'providers.runware.key=runware-key',
  ),
  standalone('dispatcher', ...Object.keys(providers).map(provider => `providers.${provider}.existingSecret=providers`)),
  standalone('dispatcher', 'providers.fal.existingSecret=providers', 'providers.fal.key=fal-key', 'simulatorProvider.enabled=true'),
  standalone(
    'dispatcher',
    'secretEnv.SIMULATOR_KEY.existingSecret=providers',
    'secretEnv.SIMULATOR_KEY.key=simulator',
    'config.FILMGATE_POLLS_MAX=100',
  ),
  standalone('catalog', `image.digest=sha256:${'0'.repeat(64)}`, 'image.registry=registry.example', 'image.pullSecrets={one,two}'),
  umbrellaSet('defaults without deny, topics and test', 'defaultDeny.enabled=false', 'topics.enabled=false', 'test.enabled=false'),
  umbrellaSet(
    'everything observed',
    'alerts.enabled=true',
    'alerts.thresholds.jobsWaiting=5000',
    'alerts.rules.FilmgatePostsSlow.severity=critical',
    'alerts.rules.FilmgatePostsSlow.for=30m',
    'alerts.rules.FilmgateJobsWait.enabled=false',
    'global.serviceMonitor.enabled=true',
    'global.recovery=true',
    'ops.enabled=true',
    'dashboards.enabled=true',
    'global.telemetry.otlpEndpoint=http://collector.observability.svc:4318',
    'global.fetch.contact=https://filmgate.example/contact',
  ),
  ...serviceCharts.map(name => standalone(name, ...mounted)),
  standalone('catalog', 'prices.existingConfigMap=prices', 'cards.existingConfigMap=cards'),
  standalone('catalog', 'prices.content=margin: 1.4', 'cards.files.new\\.yaml=model: new'),
  standalone('dispatcher', 'routes.existingConfigMap=routes', ...kafkaTls, ...scram, 'keda.enabled=true'),
  standalone('dispatcher', 'routes.files.beta-2\\.0\\.yaml=routes: []', ...plain, 'keda.enabled=true'),
  standalone('media-probe', 'kafka.tls.enabled=true', 'kafka.tls.clientCertificate.existingSecret=kafka-client', 'keda.enabled=true'),
  standalone('dispatcher', ...msk, 'keda.enabled=true'),
  standalone('media-probe', ...tokens(...oauth, 'existingSecret=kafka-client'), 'keda.enabled=true'),
  standalone('ledger', ...tokens(...oauth, 'username=filmgate', 'assertionFile=/var/run/token')),
  standalone('ledger', ...tokens('mechanism=oauthbearer', 'tokenFile=/var/run/token')),
  standalone('dispatcher', ...tokens('mechanism=google-iam'), 'keda.enabled=true'),
  umbrellaSet('a managed Kafka and prices', ...[...kafkaTls, ...scram].map(one => `global.${one}`), 'catalog.prices.content=margin: 1.4'),
  umbrellaSet('an authority of one’s own', 'global.privateCa.existingConfigMap=authorities', 'global.privateCa.key=all.pem'),
  umbrellaSet(
    'a registry of one’s own',
    'global.image.registry=registry.example',
    'global.image.tag=1.2.3',
    'global.image.pullSecrets={pull}',
  ),
  umbrellaSet('a test from outside', 'test.url=https://203.0.113.9', 'test.host=api.example', 'test.to[0].ipBlock.cidr=203.0.113.9/32'),
  umbrellaSet('a role instead of keys', 'global.objectStore.existingSecret=', 'dispatcher.objectStore.existingSecret=its-own'),
  umbrellaSet('two servers', 'postgres[0].maxConnections=300', 'postgres[0].services={gateway,ledger}', 'postgres[1].maxConnections=300'),
  umbrellaSet(
    'placed',
    'global.nodeSelector.pool=filmgate',
    'global.tolerations[0].key=filmgate',
    'global.commonLabels.team=video',
    'gateway.priorityClassName=api',
    'topics.serviceAccount.annotations.role=kafka',
  ),
  umbrellaSet('without network policies', 'global.networkPolicy.enabled=false'),
]

/** Values that must be refused, with the message. */
export const refusedValues: { set: string[]; chart: string; files: string[]; message: RegExp }[] = [
  { ...umbrellaSet('', 'postgres[0].maxConnections=100'), message: /gateway 178, ledger 26, .* are \d+ connections/ },
  { ...umbrellaSet('', 'gatway.replicas=2'), message: /gatway/ },
  { ...umbrellaSet('', 'gateway.replcas=2'), message: /replcas/ },
  { ...umbrellaSet('', 'global.kafka.broker=x'), message: /broker/ },
  { ...umbrellaSet('', 'gateway.shutdown.graceSeconds=30'), message: /graceSeconds/ },
  { ...umbrellaSet('', 'gateway.image.pullPolicy=Sometimes'), message: /pullPolicy/ },
  { ...umbrellaSet('', 'global.kafka.brokers='), message: /kafka\.brokers/ },
  { ...standalone('dispatcher', 'keda.enabled=true', 'keda.maxReplicas=13'), message: /12 partitions/ },
  {
    ...umbrellaSet('', 'alerts.enabled=true', 'global.serviceMonitor.enabled=true', 'alerts.rules.FilmgateNone.enabled=false'),
    message: /FilmgateNone is no alert/,
  },
  { ...umbrellaSet('', 'alerts.thresholds.jobs=3'), message: /jobs/ },
  {
    ...umbrellaSet('', 'alerts.enabled=true', 'gateway.serviceMonitor.enabled=true'),
    message: /alerts\.enabled needs \S+\.serviceMonitor\.enabled/,
  },
  { ...standalone('ledger', 'kafka.tls.ca.existingSecret=ca'), message: /need kafka\.tls\.enabled/ },
  { ...standalone('ledger', 'kafka.tls.enabled=true', 'kafka.tls.ca.key=ca.pem'), message: /existingSecret or existingConfigMap/ },
  { ...standalone('ledger', 'kafka.sasl.mechanism=plain', 'kafka.sasl.existingSecret=user'), message: /in clear/ },
  { ...standalone('ledger', 'kafka.sasl.mechanism=gssapi', 'kafka.sasl.existingSecret=user'), message: /mechanism/ },
  { ...standalone('ledger', ...msk, 'kafka.tls.enabled=false'), message: /the token in clear/ },
  { ...standalone('ledger', ...tokens('mechanism=aws-msk-iam')), message: /kafka\.sasl\.region/ },
  { ...standalone('ledger', ...tokens('mechanism=oauthbearer')), message: /tokenUrl or tokenFile/ },
  { ...standalone('ledger', ...tokens(...oauth)), message: /kafka\.sasl\.existingSecret/ },
  { ...standalone('ledger', 'kafka.sasl.mechanism=scram-sha-512'), message: /kafka\.sasl\.existingSecret/ },
  { ...standalone('ledger', 'privateCa.key=ca.pem'), message: /privateCa names/ },
  { ...standalone('gateway', 'ingress.enabled=true', 'ingress.readTimeoutSeconds=60'), message: /readTimeoutSeconds/ },
  { ...standalone('gateway', 'httpRoute.enabled=true', ...proxies), message: /parentRefs/ },
  { ...standalone('gateway', 'httpRoute.enabled=true', 'httpRoute.parentRefs[0].name=public'), message: /networkPolicy\.ingressFrom/ },
  { ...standalone('gateway', 'ingress.enabled=true', 'ingress.controller=alb'), message: /networkPolicy\.ingressFrom/ },
  { ...umbrellaSet('', 'gateway.service.type=LoadBalancer'), message: /gateway\/service\/type|service\.type|\/service\/type/ },
  { ...umbrellaSet('', 'gateway.service.anotations.a=b'), message: /anotations/ },
  { ...umbrellaSet('', 'service.type=NodePort'), message: /'type'/ },
  { ...standalone('gateway', 'horizontalAutoscaler.maxReplicas=1'), message: /maxReplicas/ },
  { ...standalone('console', 'console.existingSecret='), message: /console\.existingSecret/ },
  { ...standalone('console', 'console.url='), message: /console\.url/ },
  { ...standalone('console', 'console.url=https://console.example/'), message: /url/ },
  { ...standalone('console', 'apiUrl='), message: /apiUrl/ },
  { ...standalone('console', 'mail.existingSecret=console'), message: /mail\.from/ },
  {
    ...standalone('console', 'oidc.issuer=https://id.example', 'oidc.clientId=filmgate', 'oidc.name=Example'),
    message: /oidc\.existingSecret/,
  },
  { ...standalone('console', 'operators.content=[]'), message: /operators\.tokenSecret/ },
  { ...umbrellaSet('', 'console.enabled=true'), message: /console\.url/ },
]

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from '../fetch/run'
import type { Instance } from '../instance'
import type { Plan } from '../process/plan'
import { portOpen } from '../process/probe'
import { aotCache, jvmOptions } from './ahead-of-time'

/** Additional properties, which override the stack's own, and initial SCRAM users. */
export interface KafkaPlanOptions {
  properties?: string
  scramUsers?: string[]
}

type KafkaLocation = { dir: string; ports: Pick<Instance['ports'], 'kafka' | 'kafkaController'> }

/** A Kafka node that is broker and controller (KRaft). */
export function kafkaPlan(
  { dir, ports }: KafkaLocation,
  java: string,
  libs: string,
  { properties: more = '', scramUsers = [] }: KafkaPlanOptions = {},
): Plan {
  const data = join(dir, 'kafka')
  const properties = join(dir, 'kafka.properties')
  const cache = aotCache('kafka', java)
  const options = [...jvmOptions(384), ...cache.options, '-Dorg.slf4j.simpleLogger.showDateTime=true', '-cp', `${libs}/*`]
  return {
    name: 'kafka',
    kind: 'server',
    port: ports.kafka,
    command: [java, ...options, 'kafka.Kafka', properties],
    cwd: dir,
    prepare: async () => {
      writeFileSync(properties, `${propertiesText(data, ports.kafka, ports.kafkaController)}${more}`)
      if (!existsSync(join(data, 'meta.properties'))) await format(java, libs, properties, data, scramUsers)
    },
    ready: () => portOpen(ports.kafka),
    readyTimeoutMs: 180_000,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: cache.stopTimeoutMs,
    stopNotice: cache.stopNotice,
  }
}

async function format(java: string, libs: string, properties: string, data: string, scramUsers: string[]): Promise<void> {
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data, { recursive: true })
  // Joined with `=`: one id in 64 starts with a dash, which the tool would read as an option.
  const clusterId = randomBytes(16).toString('base64url')
  const tool = [...jvmOptions(256), '-cp', `${libs}/*`, 'kafka.tools.StorageTool']
  const users = scramUsers.flatMap(user => ['--add-scram', user])
  await mustRun('Formatting Kafka', [java, ...tool, 'format', `--cluster-id=${clusterId}`, '-c', properties, ...users])
}

const propertiesText = (data: string, port: number, controllerPort: number): string => `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=${data}
auto.create.topics.enable=false
offsets.topic.num.partitions=4
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
group.consumer.session.timeout.ms=6000
group.consumer.min.session.timeout.ms=6000
group.consumer.heartbeat.interval.ms=1000
group.consumer.min.heartbeat.interval.ms=1000
# No empty record of the metadata twice a second.
metadata.max.idle.interval.ms=0
log.cleaner.threads=1
log.cleaner.dedupe.buffer.size=16777216
`

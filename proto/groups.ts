import { type TopicName, topicName } from './topics'

/**
 * Every consumer group of the pipeline and the topics it follows. A service takes its group's name from here, and the catalog measures the
 * lag of each, so that a group whose service does not run is seen by one that does.
 */
export const groups = {
  gateway: { suffix: 'gateway', topics: ['credits', 'media', 'generations'] },
  ledger: { suffix: 'ledger', topics: ['requests'] },
  ledgerVerdicts: { suffix: 'ledger-verdicts', topics: ['media', 'generations'] },
  probeVerify: { suffix: 'media-probe.verify', topics: ['credits'] },
  probeRelease: { suffix: 'media-probe.release', topics: ['generations'] },
  dispatcher: { suffix: 'dispatcher', topics: ['credits', 'media'] },
  dispatcherCancels: { suffix: 'dispatcher-cancels', topics: ['requests'] },
  webhooks: { suffix: 'webhooks', topics: ['tasks'] },
  dispatcherCallbacks: { suffix: 'dispatcher-callbacks', topics: ['callbacks'] },
} as const satisfies Record<string, { suffix: string; topics: readonly TopicName[] }>

export type GroupName = keyof typeof groups

/** The group's id on the broker, such as `filmgate.ledger`. */
export const groupName = (prefix: string, group: GroupName): string => `${prefix}.${groups[group].suffix}`

/** Each group's id and the topics it follows, by their names on the broker. */
export const groupPlan = (prefix: string) =>
  Object.entries(groups).map(([name, { topics }]) => ({
    group: groupName(prefix, name as GroupName),
    topics: topics.map(topic => topicName(prefix, topic)),
  }))

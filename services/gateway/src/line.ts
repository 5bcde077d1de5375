import type { Bus, Consumer } from '@filmgate/kit/bus'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import type { LineEvent } from './tasks/change-of'
import { type ProjectDeps, project } from './tasks/project'

/** Follows every event of the line into the task view. */
export function followLine(bus: Bus, topicPrefix: string, deps: ProjectDeps): Consumer {
  return bus.consume<LineEvent>({
    group: `${topicPrefix}.gateway`,
    topics: {
      [topicName(topicPrefix, 'credits')]: bytes => decode(topics.credits.schema, bytes).event,
      [topicName(topicPrefix, 'media')]: bytes => decode(topics.media.schema, bytes).event,
      [topicName(topicPrefix, 'generations')]: bytes => decode(topics.generations.schema, bytes).event,
    },
    handle: messages => project(deps, messages),
  })
}

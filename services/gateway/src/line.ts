import type { Bus, Consumer } from '@filmgate/kit/bus'
import type { Log } from '@filmgate/kit/log'
import { waitForMigrations } from '@filmgate/kit/migrate'
import { groupName } from '@filmgate/proto/groups'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import { migrationsFolder } from './migrations'
import type { LineEvent } from './tasks/change-of'
import { type ProjectDeps, project } from './tasks/project'

export type LineDeps = ProjectDeps & { bus: Pick<Bus, 'consume'>; log: Log; topicPrefix: string }
/** A reservation is mostly followed by its acceptance within this, and a client that waits to be declined doesn't mind. */
const creditsPatienceMs = 20

export type Line = { migrated(): boolean; joined(): boolean; stop(): Promise<void> }

/** Once the tables are there, follows every event of the line into the task view. */
export function followLine(deps: LineDeps): Line {
  const stopping = new AbortController()
  let consumer: Consumer | undefined

  async function start(): Promise<void> {
    const { sql, log, bus, topicPrefix } = deps
    if (!(await waitForMigrations({ sql, folder: migrationsFolder, log, signal: stopping.signal }))) return
    consumer = bus.consume<LineEvent>({
      group: groupName(topicPrefix, 'gateway'),
      topics: {
        [topicName(topicPrefix, 'credits')]: bytes => decode(topics.credits.schema, bytes).event,
        [topicName(topicPrefix, 'media')]: bytes => decode(topics.media.schema, bytes).event,
        [topicName(topicPrefix, 'generations')]: bytes => decode(topics.generations.schema, bytes).event,
      },
      handle: messages => project(deps, messages),
      patienceMs: { [topicName(topicPrefix, 'credits')]: creditsPatienceMs },
    })
  }

  const starting = start()
  return {
    migrated: () => consumer !== undefined,
    joined: () => consumer?.joined() ?? false,
    async stop() {
      stopping.abort()
      await starting
      await consumer?.stop()
    },
  }
}

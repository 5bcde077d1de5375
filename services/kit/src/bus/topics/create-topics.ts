import type { Admin, ITopicConfig } from 'kafkajs'
import { untilServed } from './until-served'

/**
 * Creates topics and waits until the broker serves them. A broker learns of a new topic a moment after the controller made it;
 * kafkajs's own waiting takes that moment for a failure.
 */
export async function createTopics(admin: Admin, topics: ITopicConfig[]): Promise<void> {
  await admin.createTopics({ topics, waitForLeaders: false })
  await untilServed(async () => {
    await admin.fetchTopicMetadata({ topics: topics.map(({ topic }) => topic) })
    // Metadata names leaders that may not know it yet; only a leader tells its offsets.
    await Promise.all(topics.map(({ topic }) => admin.fetchTopicOffsets(topic)))
  })
}

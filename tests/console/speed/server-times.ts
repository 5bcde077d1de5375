import { type LogLine, logLines, logSize } from '../../support/servers/service-log'
import { until } from '../../support/until'
import type { WireAnswer } from '../people/wire'

/**
 * What the console itself says each answer took, by the lines of its log that have the answers' ids. These times are from the request to the
 * answer, so they hold whatever it asked of other services, and what it waited for a processor.
 */
export function watchServer(): { timesOf(answers: WireAnswer[]): Promise<number[]> } {
  const from = logSize('console')
  const answered = () => {
    const lines = logLines('console', from).filter(({ msg }) => msg === 'answered')
    return new Map(lines.map((line: LogLine) => [line.trace_id, Number(line.duration_ms)]))
  }
  return {
    timesOf: answers =>
      until('the lines of all answers in the log', async () => {
        const known = answered()
        const times = answers.map(({ headers }) => known.get(headers.get('x-request-id')))
        return times.every(ms => ms !== undefined) && times
      }),
  }
}

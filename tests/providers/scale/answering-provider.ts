/** How providers are asked: about many attempts in one call, as the simulator is, or by a call each, as fal is. */
export type Manner = 'batched' | 'a-call-each'

export type AnsweringProvider = {
  url: string
  /** Polls of attempts so far. */
  polls(): number
  /** Seconds between polls of one attempt, since this was last asked. */
  takeGaps(): number[]
  stop(): void
}

/** A provider to which everything runs for ever: answers polls and nothing else, so that what is measured is who asks. */
export function startAnsweringProvider(): AnsweringProvider {
  const askedAt = new Map<string, number>()
  let polls = 0
  let gaps: number[] = []

  function note(id: string): void {
    const now = performance.now()
    const before = askedAt.get(id)
    if (before !== undefined) gaps.push((now - before) / 1_000)
    askedAt.set(id, now)
    polls += 1
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const single = /\/requests\/([^/]+)\/status$/.exec(pathname)?.[1]
      if (single) {
        note(single)
        return Response.json({ status: 'IN_PROGRESS', request_id: single })
      }
      const ids = searchParams.get('ids')?.split(',') ?? []
      for (const id of ids) note(id)
      return Response.json({ data: ids.map(id => ({ id, client_task_id: id, status: 'running' })) })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    polls: () => polls,
    takeGaps() {
      const taken = gaps
      gaps = []
      return taken
    },
    stop: () => void server.stop(true),
  }
}

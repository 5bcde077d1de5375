import { settings } from '../settings'

export type TaskEvent = {
  id: string
  type: string
  at: string
  percent?: number
  position?: number
  credits_used?: number
  credits_refunded?: number
  video_url?: string
  error?: { code: string; message: string }
}

export type EventStream = {
  status: number
  headers: Headers
  /** What was received so far. */
  text: string
  events: TaskEvent[]
  /** How the stream ended: by the server, or broken off. */
  ended: 'whole' | 'broken' | undefined
  leave(): void
}

type Following = { base?: string; after?: string | undefined }

/** Follows a task by server-sent events; returns once the head of the answer is there. */
export async function followTask(apiKey: string, taskId: string, { base = settings.url, after }: Following = {}): Promise<EventStream> {
  const leaving = new AbortController()
  const { status, headers, body } = await fetch(`${base}/tasks/${taskId}/events`, {
    headers: { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) },
    signal: leaving.signal,
    keepalive: false,
  })
  const stream: EventStream = { status, headers, text: '', events: [], ended: undefined, leave: () => leaving.abort() }
  void read(stream, body)
  return stream
}

async function read(stream: EventStream, body: ReadableStream<Uint8Array> | null): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const piece of body ?? []) {
      const text = decoder.decode(piece, { stream: true })
      stream.text += text
      const messages = (rest + text).split('\n\n')
      rest = messages.pop() ?? ''
      for (const message of messages) {
        const data = /^data: (.*)$/m.exec(message)?.[1]
        if (data) stream.events.push(JSON.parse(data))
      }
    }
    stream.ended = 'whole'
  } catch {
    stream.ended = 'broken'
  }
}

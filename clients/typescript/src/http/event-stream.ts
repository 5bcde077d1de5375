export type ServerSentEvent = { id: string | undefined; data: string }

/**
 * Reads server-sent events (HTML, 9.2.6) from pieces of text that are split anywhere. `push` returns the events that are whole with this piece;
 * one that was cut is never told. `onRetry` takes the server's pause before a new connection.
 */
export function eventStreamReader(onRetry?: (ms: number) => void): { push(text: string): ServerSentEvent[] } {
  let rest = ''
  let started = false
  let data: string[] = []
  let id: string | undefined

  function take(line: string): ServerSentEvent | undefined {
    if (line === '') {
      const event = data.length > 0 ? { id, data: data.join('\n') } : undefined
      data = []
      return event
    }
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') data.push(value)
    else if (name === 'id' && !value.includes('\0')) id = value
    else if (name === 'retry' && /^\d{1,7}$/.test(value)) onRetry?.(Number(value))
    return undefined
  }

  return {
    push(text) {
      if (text === '') return []
      rest += text
      if (!started) rest = rest.replace(/^\ufeff/, '')
      started = true
      const events: ServerSentEvent[] = []
      for (;;) {
        const end = /\r\n|\n|\r/.exec(rest)
        // A CR at the end may be half of a CRLF: the next piece tells.
        if (!end || (end[0] === '\r' && end.index === rest.length - 1)) return events
        const event = take(rest.slice(0, end.index))
        rest = rest.slice(end.index + end[0].length)
        if (event) events.push(event)
      }
    },
  }
}

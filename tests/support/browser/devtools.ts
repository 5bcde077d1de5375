const answerTimeoutMs = 180_000

export type Devtools = {
  send<T = Record<string, unknown>>(method: string, params?: object, session?: string): Promise<T>
  on(listener: (method: string, params: Record<string, unknown>, session?: string) => void): void
  close(): void
}

type DevtoolsMessage = {
  id?: number
  method?: string
  params?: Record<string, unknown>
  sessionId?: string
  result?: object
  error?: { message: string }
}

/** A browser's DevTools protocol: a request has one answer, and what happens meanwhile is told. */
export async function connectDevtools(url: string): Promise<Devtools> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, { resolve(result: object): void; reject(error: Error): void }>()
  const listeners: Parameters<Devtools['on']>[0][] = []
  let last = 0
  socket.onmessage = ({ data }) => {
    const told: DevtoolsMessage = JSON.parse(String(data))
    if (told.method) for (const listener of listeners) listener(told.method, told.params ?? {}, told.sessionId)
    const asked = told.id === undefined ? undefined : waiting.get(told.id)
    if (!asked || told.id === undefined) return
    waiting.delete(told.id)
    if (told.error) asked.reject(new Error(told.error.message))
    else asked.resolve(told.result ?? {})
  }
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error('the browser does not answer'))
  })
  function send<T>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    const id = ++last
    const answered = Promise.withResolvers<object>()
    waiting.set(id, answered)
    const giveUp = setTimeout(() => answered.reject(new Error(`${method} was not answered`)), answerTimeoutMs)
    socket.send(JSON.stringify({ id, method, params, sessionId }))
    return answered.promise.finally(() => clearTimeout(giveUp)) as Promise<T>
  }
  return { send, on: listener => void listeners.push(listener), close: () => socket.close() }
}

type Options = { handle(request: Request): Promise<Response>; consoleUrl: string; address?: string }

export type Answer = { status: number; location: string | null; text: string; headers: Headers }

/** A browser without scripts: keeps cookies, submits forms from the console's pages. */
export type Browser = {
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, fields?: Record<string, string>): Promise<Answer>
  cookies: Map<string, string>
}

export function browserOf({ handle, consoleUrl, address = '192.0.2.1' }: Options): Browser {
  const cookies = new Map<string, string>()

  async function send(path: string, init: RequestInit): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = new Headers({ accept: 'text/html', 'x-test-address': address, ...(cookie && { cookie }) })
    new Headers(init.headers).forEach((value, name) => {
      headers.set(name, value)
    })
    const answer = await handle(new Request(`${consoleUrl}${path}`, { ...init, headers }))
    for (const line of answer.headers.getSetCookie()) keep(cookies, line)
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text(), headers: answer.headers }
  }

  return {
    cookies,
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, fields = {}) => send(path, { method: 'POST', headers: { origin: consoleUrl }, body: new URLSearchParams(fields) }),
  }
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';', 1)
  const at = pair.indexOf('=')
  if (/max-age=0\b/i.test(line)) cookies.delete(pair.slice(0, at))
  else cookies.set(pair.slice(0, at), pair.slice(at + 1))
}

import { namesUpload } from '@filmgate/kit/upload-url'
import type { RequestBody } from './request-of'

export const languages = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const
export type Language = keyof typeof languages

/** The same request as a program sends it. The key is never one: each names the variable that holds it. Uploads are the console's alone. */
export function examplesOf(apiUrl: string, request: RequestBody): Record<Language, string> {
  const body = { ...request, ...Object.fromEntries(Object.entries(request).map(([name, value]) => [name, hosted(value)])) }
  const json = JSON.stringify(body, null, 2)
  return {
    curl: `curl ${quoted(`${apiUrl}/video/generations`)} \\
  -H "Authorization: Bearer $FILMGATE_API_KEY" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d ${quoted(json)}`,
    typescript: `import { env } from 'node:process'

const response = await fetch(${JSON.stringify(`${apiUrl}/video/generations`)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${env.FILMGATE_API_KEY}\`,
    'Idempotency-Key': crypto.randomUUID(),
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indented(json)}),
})
const task = await response.json()`,
    python: `import json, os, urllib.request, uuid

request = urllib.request.Request(
    ${JSON.stringify(`${apiUrl}/video/generations`)},
    method="POST",
    headers={
        "Authorization": f"Bearer {os.environ['FILMGATE_API_KEY']}",
        "Idempotency-Key": str(uuid.uuid4()),
        "Content-Type": "application/json",
    },
    data=json.dumps(${pythonOf(body)}).encode(),
)
task = json.load(urllib.request.urlopen(request, timeout=260))`,
  }
}

const ownHost = 'https://media.example.com/'

/** A program names files where it keeps them. */
function hosted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hosted)
  return typeof value === 'string' && namesUpload(value) ? `${ownHost}${value.split('/').at(-1)}` : value
}

/** For a shell of POSIX: nothing within single quotes means anything but they themselves. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const indented = (json: string): string => json.replaceAll('\n', '\n  ')

/** As Python writes it: a JSON text is one too but for true, false and null. */
function pythonOf(body: RequestBody): string {
  const lines = Object.entries(body).map(([name, value]) => `        ${JSON.stringify(name)}: ${pythonValue(value)},`)
  return `{\n${lines.join('\n')}\n    }`
}

const pythonValue = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value))

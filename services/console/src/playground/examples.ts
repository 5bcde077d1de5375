import { namesUpload } from '@filmgate/kit/upload-url'
import type { RequestBody } from './form/build-request'

export const languages = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const
export type Language = keyof typeof languages

/**
 * The same request as example code. The key is a variable, never a real one. Upload addresses are replaced, because
 * only the console can use them.
 */
export function requestExamples(apiUrl: string, request: RequestBody): Record<Language, string> {
  const body = { ...request, ...Object.fromEntries(Object.entries(request).map(([name, value]) => [name, withOwnHost(value)])) }
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

/** Replaces upload addresses with an example host. */
function withOwnHost(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOwnHost)
  return typeof value === 'string' && namesUpload(value) ? `${ownHost}${value.split('/').at(-1)}` : value
}

/** POSIX shell quoting: within single quotes every character is literal. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const indented = (json: string): string => json.replaceAll('\n', '\n  ')

/** JSON texts are valid Python except for true, false and null. */
function pythonOf(body: RequestBody): string {
  const lines = Object.entries(body).map(([name, value]) => `        ${JSON.stringify(name)}: ${pythonValue(value)},`)
  return `{\n${lines.join('\n')}\n    }`
}

const pythonValue = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value))

/** Fields that every line has. */
const hiddenFields = ['level', 'time', 'service', 'pid', 'msg', 'span_id']

/** Formats a log line: time, level, message, other fields. Other lines stay unchanged. */
export function readableLine(line: string): string {
  const fields = parsed(line)
  if (!fields) return line
  const { time, level, msg, err } = fields
  const clock = typeof time === 'string' ? time.slice(11, 23) : ''
  const more = Object.entries(fields)
    .filter(([name]) => !hiddenFields.includes(name) && name !== 'err')
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const stack = isRecord(err) ? [`\n${String(err.stack ?? err.message ?? JSON.stringify(err)).replaceAll(/^/gm, '    ')}`] : []
  return [clock, String(level ?? '').padEnd(5), String(msg ?? ''), ...more, ...stack].join(' ').trimEnd()
}

function parsed(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const fields: unknown = JSON.parse(line)
    return isRecord(fields) ? fields : undefined
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

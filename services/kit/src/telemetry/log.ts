import { trace } from '@opentelemetry/api'
import pino from 'pino'

export type Log = pino.Logger

/** JSON lines on standard output, each with the trace it belongs to. What could be a secret is cut out by name. */
export function createLog({ service, level }: { service: string; level: string }): Log {
  return pino({
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: label => ({ level: label }) },
    redact: {
      paths: [
        'authorization',
        'password',
        'secret',
        '*.authorization',
        '*.password',
        '*.secret',
        'headers.authorization',
        'api_key',
        '*.api_key',
        'apiKey',
        // What Redis refuses comes with the command, and a refused login with the password in it.
        'err.command',
      ],
      censor: '[cut]',
    },
    mixin() {
      const context = trace.getActiveSpan()?.spanContext()
      return context ? { trace_id: context.traceId, span_id: context.spanId } : {}
    },
  })
}

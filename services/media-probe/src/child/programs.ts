/**
 * Required programs besides ffmpeg and ffprobe; `tools/images/programs.test.ts` compares code and Dockerfile with them.
 * A shell and `mount` are optional: without them the sandbox is weaker.
 */
export const programs = ['setpriv', 'prlimit', 'unshare', 'true'] as const
/** PATH of children. */
export const childPath = '/usr/local/bin:/usr/bin:/bin'
export type Program = (typeof programs)[number]

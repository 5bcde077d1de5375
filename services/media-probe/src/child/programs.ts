/**
 * Required programs besides ffmpeg and ffprobe; `tools/images/programs.test.ts` compares code and Dockerfile with them.
 */
export const programs = ['prlimit'] as const
/** PATH of children. */
export const childPath = '/usr/local/bin:/usr/bin:/bin'
export type Program = (typeof programs)[number]

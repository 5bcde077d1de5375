import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { instance } from '../settings'

export type LogLine = { level: string; msg: string; [field: string]: unknown }

const fileOf = (service: string): string => resolve(import.meta.dir, '../../../.local', instance, 'logs', `${service}.log`)

/** How much a service of the stack has written by now. */
export const logSize = (service: string): number => (existsSync(fileOf(service)) ? statSync(fileOf(service)).size : 0)

/** What it has written since, a line each; one that is still being written is left out. */
export const logLines = (service: string, from: number): LogLine[] =>
  readFileSync(fileOf(service))
    .subarray(from)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as LogLine)

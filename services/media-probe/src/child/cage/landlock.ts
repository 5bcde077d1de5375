import { closeSync, constants, existsSync, openSync, statSync } from 'node:fs'
import { addressOf, systemCall } from './libc'

/** The same numbers on every machine. */
const calls = { createRuleset: 444, addRule: 445, restrictSelf: 446 }
const versionFlag = 1
const pathBeneath = 1
const openPath = 0o10_000_000

/** Access rights of Linux's `landlock.h`. */
const [execute, writeFile, readFile, readDirectory, truncate] = [1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14]
/** All rights of files and directories, by the version of Landlock that knows them. */
const rightsOf = (version: number): number => 2 ** ([13, 14, 15, 15, 16][Math.min(version, 5) - 1] ?? 13) - 1
/** TCP: bind and connect. */
const networkRights = 0b11
/** Abstract sockets, and signals to other domains. */
const scopes = 0b11

export interface FilesAllowed {
  /** Files and folders that may be read and executed. Those that don't exist are left out. */
  readable: string[]
  /** A descriptor whose file may also be written. */
  writable?: number
}

/** The version of Landlock that this kernel has; 0 for none. */
export const landlockVersion = (): number => Math.max(0, systemCall(calls.createRuleset, 0, 0, versionFlag))

/** From now on this thread and what it starts reach only these files, and no process outside. Needs no new privileges. */
export function restrictFiles({ readable, writable }: FilesAllowed): void {
  const version = landlockVersion()
  if (version === 0) throw new Error('this kernel has no Landlock')
  const handled = rightsOf(version)
  const attributes = BigUint64Array.of(BigInt(handled), BigInt(networkRights), BigInt(scopes))
  const size = version >= 6 ? 24 : version >= 4 ? 16 : 8
  const ruleset = systemCall(calls.createRuleset, addressOf(attributes), size, 0)
  if (ruleset < 0) throw new Error('can’t create a Landlock ruleset')
  const allow = (fd: number, rights: number) => {
    const rule = new DataView(new ArrayBuffer(12))
    rule.setBigUint64(0, BigInt(rights & handled), true)
    rule.setInt32(8, fd, true)
    if (systemCall(calls.addRule, ruleset, pathBeneath, addressOf(new Uint8Array(rule.buffer)), 0) !== 0)
      throw new Error('can’t add a Landlock rule')
  }
  for (const path of readable.filter(path => existsSync(path))) {
    const fd = openSync(path, openPath | constants.O_RDONLY)
    allow(fd, statSync(path).isDirectory() ? execute | readFile | readDirectory : execute | readFile)
    closeSync(fd)
  }
  if (writable !== undefined) allow(writable, readFile | writeFile | truncate)
  if (systemCall(calls.restrictSelf, ruleset, 0) !== 0) throw new Error('can’t restrict this process')
  closeSync(ruleset)
}

import { boundedCalls, deniedCalls } from './denied-calls'

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64. */
const machines: Record<string, readonly [architecture: number, column: 0 | 1]> = { x64: [0xc000003e, 0], arm64: [0xc00000b7, 1] }

const [load, jumpIfEqual, jumpIfAtLeast, jumpIfAnyBit, give] = [0x20, 0x15, 0x35, 0x45, 0x06]
const [number, architecture, firstArgument] = [0, 4, 16]
const [allow, kill, notPermitted, notImplemented] = [0x7fff0000, 0x80000000, 0x00050001, 0x00050026]
/** CLONE_NEWNS, CLONE_NEWCGROUP, UTS, IPC, USER, PID and NET. */
const newNamespaces = 0x7e020000
/** Calls of the x32 interface, which have numbers of their own. */
const x32Calls = 0x40000000

/**
 * The seccomp filter of a decoder as an array of `struct sock_filter`. A denied call fails with EPERM. clone3 is "not
 * implemented", so that libc falls back to clone, whose flags a filter can read.
 */
export function seccompFilter(machine: string): Uint8Array {
  const [architectureExpected, column] = machines[machine] ?? []
  if (architectureExpected === undefined || column === undefined) throw new Error(`no seccomp filter is known for ${machine}`)
  const [clone, clone3, prlimit] = [boundedCalls.clone[column], boundedCalls.clone3[column], boundedCalls.prlimit64[column]]
  const denied = Object.values(deniedCalls).flatMap(numbers => numbers[column] ?? [])
  // Each instruction: code, jump if true, jump if false, operand. Jumps count the instructions that are passed over.
  const instructions: [code: number, ifTrue: number, ifFalse: number, operand: number][] = [
    [load, 0, 0, architecture],
    [jumpIfEqual, 1, 0, architectureExpected],
    [give, 0, 0, kill],
    [load, 0, 0, number],
    [jumpIfAtLeast, 0, 1, x32Calls],
    [give, 0, 0, notPermitted],
    ...denied.flatMap((call): typeof instructions => [
      [jumpIfEqual, 0, 1, call],
      [give, 0, 0, notPermitted],
    ]),
    [jumpIfEqual, 0, 1, clone3],
    [give, 0, 0, notImplemented],
    [jumpIfEqual, 0, 4, clone],
    [load, 0, 0, firstArgument],
    [jumpIfAnyBit, 0, 1, newNamespaces],
    [give, 0, 0, notPermitted],
    [give, 0, 0, allow],
    // Its own limits only: process 0.
    [jumpIfEqual, 0, 3, prlimit],
    [load, 0, 0, firstArgument],
    [jumpIfEqual, 1, 0, 0],
    [give, 0, 0, notPermitted],
    [give, 0, 0, allow],
  ]
  const filter = new DataView(new ArrayBuffer(instructions.length * 8))
  for (const [index, [code, ifTrue, ifFalse, operand]] of instructions.entries()) {
    filter.setUint16(index * 8, code, true)
    filter.setUint8(index * 8 + 2, ifTrue)
    filter.setUint8(index * 8 + 3, ifFalse)
    filter.setUint32(index * 8 + 4, operand, true)
  }
  return new Uint8Array(filter.buffer)
}

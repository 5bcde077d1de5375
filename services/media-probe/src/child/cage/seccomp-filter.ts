import { boundedCalls, deniedCalls } from './denied-calls'

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64. */
const machines: Record<string, readonly [architecture: number, column: 0 | 1]> = { x64: [0xc000003e, 0], arm64: [0xc00000b7, 1] }

/** Jumps count the instructions that are passed over. */
type Instruction = [code: number, ifTrue: number, ifFalse: number, operand: number]

const [load, jumpIfEqual, jumpIfAtLeast, jumpIfAnyBit, give] = [0x20, 0x15, 0x35, 0x45, 0x06]
const [number, architecture] = [0, 4]
const argument = (index: number): number => 16 + 8 * index
const [allow, kill, notPermitted, notImplemented] = [0x7fff0000, 0x80000000, 0x00050001, 0x00050026]
/** CLONE_NEWNS, CLONE_NEWCGROUP, UTS, IPC, USER, PID and NET. */
const newNamespaces = 0x7e020000
/** Calls of the x32 interface, which have numbers of their own. */
const x32Calls = 0x40000000
/** O_WRONLY, O_RDWR, O_CREAT and O_TRUNC. */
const writing = 0o1103
/** F_SETOWN, F_SETSIG and F_SETOWN_EX: with them the kernel sends signals to others. */
const signalling = [8, 10, 15]

const refuse = (call: number, answer: number): Instruction[] => [
  [jumpIfEqual, 0, 1, call],
  [give, 0, 0, answer],
]

/** Refuses the call if the argument has any of the bits; else it is allowed. */
const refuseBits = (call: number | undefined, index: number, bits: number): Instruction[] =>
  call === undefined
    ? []
    : [
        [jumpIfEqual, 0, 4, call],
        [load, 0, 0, argument(index)],
        [jumpIfAnyBit, 0, 1, bits],
        [give, 0, 0, notPermitted],
        [give, 0, 0, allow],
      ]

/**
 * The seccomp filter of a decoder as an array of `struct sock_filter`. A denied call fails with EPERM. clone3 and openat2
 * are "not implemented", so that libc falls back to calls whose flags a filter can read.
 */
export function seccompFilter(machine: string, { writes }: { writes: boolean }): Uint8Array {
  const [architectureExpected, column] = machines[machine] ?? []
  if (architectureExpected === undefined || column === undefined) throw new Error(`no seccomp filter is known for ${machine}`)
  const denied = Object.values(deniedCalls).flatMap(numbers => numbers[column] ?? [])
  const instructions: Instruction[] = [
    [load, 0, 0, architecture],
    [jumpIfEqual, 1, 0, architectureExpected],
    [give, 0, 0, kill],
    [load, 0, 0, number],
    [jumpIfAtLeast, 0, 1, x32Calls],
    [give, 0, 0, notPermitted],
    ...denied.flatMap(call => refuse(call, notPermitted)),
    ...refuse(boundedCalls.clone3[column], notImplemented),
    ...refuse(boundedCalls.openat2[column], notImplemented),
    ...refuseBits(boundedCalls.clone[column], 0, newNamespaces),
    ...(writes ? [] : [...refuseBits(boundedCalls.open[column], 1, writing), ...refuseBits(boundedCalls.openat[column], 2, writing)]),
    // Its own limits only: process 0.
    [jumpIfEqual, 0, 4, boundedCalls.prlimit64[column]],
    [load, 0, 0, argument(0)],
    [jumpIfEqual, 0, 1, 0],
    [give, 0, 0, allow],
    [give, 0, 0, notPermitted],
    [jumpIfEqual, 0, 1 + signalling.length, boundedCalls.fcntl[column]],
    [load, 0, 0, argument(1)],
    ...signalling.map((command, index): Instruction => [jumpIfEqual, signalling.length - index, 0, command]),
    [give, 0, 0, allow],
    [give, 0, 0, notPermitted],
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

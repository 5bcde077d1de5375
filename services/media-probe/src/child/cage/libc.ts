import { dlopen, ptr } from 'bun:ffi'

/** Pointers are passed as numbers, because the variadic `syscall` takes both. */
const { symbols } = dlopen('libc.so.6', {
  syscall: { args: ['u64', 'u64', 'u64', 'u64', 'u64'], returns: 'i64' },
  prctl: { args: ['u64', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' },
  sigaction: { args: ['i32', 'u64', 'u64'], returns: 'i32' },
  sigprocmask: { args: ['i32', 'u64', 'u64'], returns: 'i32' },
  execvpe: { args: ['u64', 'u64', 'u64'], returns: 'i32' },
})

/** The garbage collector doesn't see that the kernel holds an address, so what has one stays. */
const kept: NodeJS.TypedArray[] = []
export function addressOf(bytes: NodeJS.TypedArray): number {
  kept.push(bytes)
  return ptr(bytes)
}

export const systemCall = (call: number, ...[a = 0, b = 0, c = 0, d = 0]: number[]): number => Number(symbols.syscall(call, a, b, c, d))

export const prctl = (option: number, a = 0, b = 0): number => symbols.prctl(option, a, b, 0, 0)

const [ignored, setMask, signalMax, signalSetBytes] = [1n, 2, 64, 128]
/** A `struct sigaction` with the handler first. */
const sigactionWords = 20

/** Undoes the runtime's ignored and blocked signals, which a program would inherit. */
export function resetSignals(): void {
  const byDefault = addressOf(new BigUint64Array(sigactionWords))
  const current = new BigUint64Array(sigactionWords)
  for (let signal = 1; signal <= signalMax; signal++)
    if (symbols.sigaction(signal, 0, addressOf(current)) === 0 && current[0] === ignored) symbols.sigaction(signal, byDefault, 0)
  symbols.sigprocmask(setMask, addressOf(new Uint8Array(signalSetBytes)), 0)
}

/** Replaces this process; returns only if the program can't be started. */
export function replaceBy(command: string[], environment: string[]): void {
  const list = (texts: string[]) => addressOf(BigUint64Array.from([...texts.map(text => BigInt(addressOf(Buffer.from(`${text}\0`)))), 0n]))
  symbols.execvpe(addressOf(Buffer.from(`${command[0]}\0`)), list(command), list(environment))
}

const setDumpable = 4

/** Other processes of the same user, and of no other, can then no longer read this one's memory and environment. */
export function hideMemory(): void {
  if (prctl(setDumpable, 0) !== 0) throw new Error('this process can’t hide its memory')
}

import { writeFileSync } from 'node:fs'
import { forbidden4Set, forbidden6Set } from './forbidden'

const nameServer = '9.9.9.53'

/** Hosts with a fault of their own live on an address of their own, whose port 443 leads to one of theirs. */
export const faultyHosts = { expired: 1, selfsigned: 2, wrongname: 3, stalled: 4, plaintext: 5, resets: 6, refuses: 7 } as const
export const faultyAddress = (host: keyof typeof faultyHosts) => `8.8.4.${faultyHosts[host]}`
export const faultyPort = (host: keyof typeof faultyHosts) => 9440 + faultyHosts[host]

/**
 * Makes the namespace an internet of its own: every address there is answers here, each packet to a forbidden one is counted before
 * anything else happens to it, and the only name server is ours. `servicePorts` on 127.0.0.1 are the backends, let through uncounted.
 */
export async function makeInternet(servicePorts: number[], folder: string): Promise<void> {
  const resolvConf = `${folder}/resolv.conf`
  writeFileSync(resolvConf, `nameserver ${nameServer}\noptions timeout:1 attempts:2\n`)
  await run(['ip', 'link', 'set', 'lo', 'up'])
  await run(['ip', 'route', 'add', 'local', 'default', 'dev', 'lo'])
  await run(['ip', '-6', 'route', 'add', 'local', 'default', 'dev', 'lo'])
  await run(['mount', '--bind', resolvConf, '/etc/resolv.conf'])
  const backends = `tcp dport { ${servicePorts.join(', ')} }`
  await run(['nft', '-f', '-'], rules(backends))
}

const rules = (backends: string) => `
table inet watch {
  set forbidden4 { type ipv4_addr; flags interval; elements = { ${forbidden4Set} } }
  set forbidden6 { type ipv6_addr; flags interval; elements = { ${forbidden6Set} } }
  counter forbidden { }
  counter allowed { }
  chain count {
    type filter hook output priority -150; policy accept;
    ct direction reply accept
    ip daddr 127.0.0.1 ${backends} accept
    ip daddr @forbidden4 counter name forbidden accept
    ip6 daddr @forbidden6 counter name forbidden accept
    counter name allowed
  }
  chain faults {
    type nat hook output priority -100; policy accept;
${Object.keys(faultyHosts)
  .map(
    name =>
      `    ip daddr ${faultyAddress(name as keyof typeof faultyHosts)} tcp dport 443 redirect to :${faultyPort(name as keyof typeof faultyHosts)}`,
  )
  .join('\n')}
  }
}
`

export type Packets = { forbidden: number; allowed: number }

export async function countPackets(): Promise<Packets> {
  const text = await run(['nft', 'list', 'counters'])
  const of = (name: string) => Number(new RegExp(`counter ${name} \\{\\s*packets (\\d+)`).exec(text)?.[1] ?? Number.NaN)
  return { forbidden: of('forbidden'), allowed: of('allowed') }
}

async function run(command: string[], input = ''): Promise<string> {
  const child = Bun.spawn(command, { stdin: Buffer.from(input), stdout: 'pipe', stderr: 'pipe' })
  const [output, complaint] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${complaint}`)
  return output
}

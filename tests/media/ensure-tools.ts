/** What proves it needs beside ffmpeg: a counter of packets. Debian's package brings it, where we may install one. */
export async function ensureTools(): Promise<void> {
  process.env.PATH = `${process.env.PATH}:/usr/sbin:/sbin`
  if (process.platform !== 'linux') throw new Error('test:media counts packets in a network namespace: run it on Linux')
  for (const tool of ['ffmpeg', 'ip', 'unshare']) if (!Bun.which(tool)) throw new Error(`${tool} was not found: install it`)
  if (Bun.which('nft')) return
  if (process.getuid?.() !== 0 || !Bun.which('apt-get')) throw new Error('nft was not found: install nftables')
  const child = Bun.spawn(['sh', '-c', 'apt-get update -qq && apt-get install -y -qq nftables'], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) throw new Error('nftables could not be installed')
}

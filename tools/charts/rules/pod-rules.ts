import { type Amounts, type Container, type Manifest, type NamedPod, podsOf, type Rule } from './manifest'

const lowestOwnId = 10_000
const fine: string[] = []

const eachPod = (judge: (pod: NamedPod) => string[]) => (manifests: Manifest[]) =>
  podsOf(manifests).flatMap(pod => judge(pod).map(words => `${pod.owner}: ${words}`))

const eachContainer = (judge: (container: Container, pod: NamedPod) => string[]) =>
  eachPod(pod =>
    [...(pod.spec.initContainers ?? []), ...pod.spec.containers].flatMap(one => judge(one, pod).map(words => `${one.name} ${words}`)),
  )

const lacks = (amounts: Amounts | undefined, kind: string) =>
  ['cpu', 'memory', 'ephemeral-storage'].flatMap(name => (amounts?.[name] ? [] : [`has no ${kind} of ${name}`]))

/** What may be said of a pod by itself. */
export const podRules: Rule[] = [
  {
    name: 'every container asks for processor, memory and disk, and is bounded in each',
    judge: eachContainer(({ resources }) => [...lacks(resources?.requests, 'request'), ...lacks(resources?.limits, 'limit')]),
  },
  {
    name: 'every image is named with a version',
    judge: eachContainer(({ image }) => (/(:(?!latest$)[^:/@]+|@sha256:[0-9a-f]{64})$/.test(image) ? fine : [`is of ${image}`])),
  },
  {
    name: 'every image that is named by a tag is pulled anew',
    judge: eachContainer(({ image, imagePullPolicy }) =>
      image.includes('@sha256:') || imagePullPolicy === 'Always' ? fine : [`is pulled ${imagePullPolicy}`],
    ),
  },
  {
    name: 'no process is root, and its ids are no one’s on the node',
    judge: eachContainer(({ securityContext = {} }, { spec }) => {
      const { runAsNonRoot, runAsUser = 0, runAsGroup = 0 } = { ...spec.securityContext, ...securityContext }
      return runAsNonRoot && runAsUser >= lowestOwnId && runAsGroup >= lowestOwnId ? fine : [`runs as ${runAsUser}:${runAsGroup}`]
    }),
  },
  {
    name: 'no container may gain rights, and each drops those it was given',
    judge: eachContainer(({ securityContext = {} }, { spec }) => {
      const { privileged, allowPrivilegeEscalation, capabilities, seccompProfile } = { ...spec.securityContext, ...securityContext }
      return [
        ...(privileged ? ['is privileged'] : fine),
        ...(allowPrivilegeEscalation === false ? fine : ['may gain rights']),
        ...(capabilities?.drop?.includes('ALL') && !capabilities.add?.length ? fine : ['keeps capabilities']),
        ...(seccompProfile?.type === 'RuntimeDefault' ? fine : ['has no seccomp profile']),
      ]
    }),
  },
  {
    name: 'every root filesystem is read-only',
    judge: eachContainer(({ securityContext }) => (securityContext?.readOnlyRootFilesystem ? fine : ['may write its root'])),
  },
  {
    name: 'no pod shares what is the node’s',
    judge: eachPod(({ spec: { hostNetwork, hostPID, hostIPC, volumes = [] } }) => [
      ...(hostNetwork || hostPID || hostIPC ? ['is in a namespace of the node'] : fine),
      ...volumes.filter(({ hostPath }) => hostPath).map(({ name }) => `${name} is a path of the node`),
    ]),
  },
  {
    name: 'no pod carries a token of the API server',
    judge: eachPod(({ spec }) => (spec.automountServiceAccountToken === false ? fine : ['carries a token'])),
  },
  {
    name: 'no variable of a container is given twice',
    judge: eachContainer(({ env = [] }) => {
      const names = env.map(({ name }) => name)
      return names.filter((name, place) => names.indexOf(name) !== place).map(name => `is given ${name} twice`)
    }),
  },
  {
    name: 'a server says when it is ready and when it is dead, by different questions',
    judge: eachPod(({ kind, spec }) =>
      kind !== 'Deployment' && kind !== 'StatefulSet'
        ? fine
        : spec.containers.flatMap(({ name, readinessProbe, livenessProbe }) => {
            if (!readinessProbe || !livenessProbe) return [`${name} lacks a probe`]
            return Bun.deepEquals(readinessProbe, livenessProbe) ? [`${name} asks the same twice`] : fine
          }),
    ),
  },
]

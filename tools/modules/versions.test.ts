import { expect, test } from 'bun:test'
import { pinsOf } from './pins-of'
import { nearestVersion, newestCommonPatch } from './versions'

test('the pins of a go.mod are its requirements with replacements applied', () => {
  const goMod = `module cluster
go 1.26.4
require github.com/spf13/cobra v1.10.2
require (
	k8s.io/api v0.37.1 // indirect
	k8s.io/kubernetes v1.36.1
	k8s.io/kubectl v0.0.0
)
exclude cloud.google.com/go v0.34.0
tool github.com/projectcontour/contour/cmd/contour
replace (
	k8s.io/api => k8s.io/api v0.36.1
	k8s.io/unused => k8s.io/unused v0.36.1
)
replace k8s.io/kubectl v0.0.0 => k8s.io/kubectl v0.36.1
`
  expect(pinsOf(goMod).map(({ path, version }) => `${path}@${version}`)).toEqual([
    'github.com/spf13/cobra@v1.10.2',
    'k8s.io/api@v0.36.1',
    'k8s.io/kubernetes@v1.36.1',
    'k8s.io/kubectl@v0.36.1',
  ])
})

test('the nearest served version has the same minor if possible, else it is the newest of the nearest minor', () => {
  const served = ['v1.34.4', 'v1.35.4', 'v1.36.0-rc.1', 'v1.36.1', 'v1.36.5', 'v1.37.0']
  expect(nearestVersion('v1.36.3', served)).toBe('v1.36.5')
  expect(nearestVersion('v1.36.2', served)).toBe('v1.36.1')
  expect(nearestVersion('v1.38.0', served)).toBe('v1.37.0')
  expect(nearestVersion('v1.99.0', ['v1.10.0', 'v1.10.2', 'v1.9.1'])).toBe('v1.10.2')
  expect(nearestVersion('v1.36.3', ['v1.36.3-rc.1'])).toBeUndefined()
  expect(nearestVersion('v0.0.0-20260529124908-c761662dc8c9', [])).toBeUndefined()
})

test('a family moves to the newest patch of its minor that is served for all members', () => {
  const kubernetes = { version: 'v1.36.1', served: ['v1.35.9', 'v1.36.1', 'v1.36.3', 'v1.37.0'] }
  const api = { version: 'v0.36.1', served: ['v0.36.1', 'v0.36.2', 'v0.36.3', 'v0.36.4', 'v0.36.5-rc.0'] }
  expect(newestCommonPatch([kubernetes, api])).toBe(3)
  expect(newestCommonPatch([kubernetes, { version: 'v0.36.1', served: ['v0.36.2'] }])).toBeUndefined()
})

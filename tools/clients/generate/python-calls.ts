import type { RequestModel } from './read-requests'

/** What is called with a request, and whose keyword arguments stand beside its fields. */
const calls = [
  { name: 'GenerateCall', options: 'GenerateOptions', suffix: 'Generate' },
  { name: 'CreateCall', options: 'CreateOptions', suffix: 'Create' },
  { name: 'EstimateCall', options: 'EstimateOptions', suffix: 'Estimate' },
]

/** Calls whose keyword arguments are exactly the fields of one model and mode, and options. */
export function pythonCalls(models: RequestModel[]): string {
  const types = models.flatMap(({ modes }) => modes.map(({ typeName }) => typeName))
  const options = calls.map(call => call.options)
  return `"""Generated from the OpenAPI document by \`bun run clients generate\`: change the API, not this file.

Calls for type checkers alone: each takes a request as a dict, or the fields of one model and mode as keyword arguments,
and options of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Protocol, TypeVar, overload

    # Type checkers bring it; no program needs it to run.
    from typing_extensions import Unpack

    from . import _generated as requests
    from .options import ${options.toSorted().join(', ')}

    Result = TypeVar("Result", covariant=True)
${calls.map(call => protocol(types, call)).join('')}`
}

const protocol = (types: string[], { name, options, suffix }: (typeof calls)[number]): string => `
${types.map(type => `    class _${type}${suffix}(requests.${type}, ${options}): ...\n`).join('')}
    class ${name}(Protocol[Result]):
        @overload
        def __call__(self, request: requests.VideoGenerationRequest, /, **options: Unpack[${options}]) -> Result: ...
${types.map(type => overload(`_${type}${suffix}`)).join('')}`

const overload = (type: string): string => `        @overload
        def __call__(self, **request: Unpack[${type}]) -> Result: ...
`

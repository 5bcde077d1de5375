import type { CompiledModel } from '../catalog/compile-card'

/** `created` is a date that cards don't have. */
export const openAiModelView = ({ id, card }: CompiledModel) => ({ id, object: 'model' as const, created: 0, owned_by: card.family })

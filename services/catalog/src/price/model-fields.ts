import type { Field, ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'

/** Looks a field up in every mode of the card that has it. */
export const modelFields =
  (card: ModelCard) =>
  (name: string): Field[] =>
    card.modes.flatMap(mode => mode.fields.filter(field => field.name === name))

import type { Recipe } from '../corpus/recipe'

/** A file with words in it that must not be in its copy. */
export type Planted = { recipe: Recipe; words: string[] }

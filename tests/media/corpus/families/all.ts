import type { Recipe } from '../recipe'
import { cameraFamilies } from './cameras'
import { editorFamilies } from './editors'
import { phones } from './phones'
import { pictures } from './pictures'
import { picturesOfPhones } from './pictures-of-phones'
import { recorders } from './recorders'
import { sounds } from './sounds'

/** Every legitimate file of the corpus. */
export const allRecipes = (): Recipe[] => [
  ...phones(),
  ...cameraFamilies(),
  ...recorders(),
  ...editorFamilies(),
  ...picturesOfPhones(),
  ...pictures(),
  ...sounds(),
]

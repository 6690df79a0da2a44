/** The page of a category below docs: `Volume` is described in `indicators/volume.md`. */
export const pageOf = category => `indicators/${category.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.md`

/** What of the core still imports an option. The list only gets shorter. */
export const ties: string[] = ['examples/index.ts → examples/projects/api.ts']

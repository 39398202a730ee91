export interface NameFamily {
  readonly id: string;
  readonly first: readonly string[];
  readonly last: readonly string[];
}

export interface Corpora {
  readonly families: readonly NameFamily[];
  readonly users: readonly string[];
  readonly words: { readonly common: readonly string[]; readonly all: readonly string[] };
}

export function readCorpora(tools: { fold: (text: string) => string }): Corpora;

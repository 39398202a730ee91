/** Numbers the different texts of a column in the order in which they come. */
export interface Dictionary {
  add(text: string): number;
  /** `undefined`: it was never added. */
  numberOf(text: string): number | undefined;
  /** In the order of numbers. */
  readonly texts: readonly string[];
}

/** @param max how many numbers there are; further texts share the last one */
export function createDictionary(max: number): Dictionary {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const shared = () => (texts.length === max ? max - 1 : undefined);
  return {
    texts,
    add(text) {
      const known = numbers.get(text) ?? shared();
      if (known !== undefined) return known;
      numbers.set(text, texts.length);
      return texts.push(text) - 1;
    },
    numberOf: (text) => numbers.get(text) ?? shared(),
  };
}

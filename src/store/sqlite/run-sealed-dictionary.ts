/** The texts of a column in a sealed run: by their numbers, or found by a hash. */
import type { RunFile } from './run-file.ts';
import { hashOf } from './run-record.ts';
import { countNumbers, firstIndex } from './run-sections.ts';
import { type DictionaryName, MAX_REASONS } from './run-segment.ts';

export function createSealedDictionary(file: RunFile, name: DictionaryName) {
  const count = countNumbers(file, `${name}.ends`, Uint32Array);
  const [hashes, ends, numbers] = [`${name}.hashes`, `${name}.ends`, `${name}.numbers`];
  const hashAt = (index: number) => file.numberAt(hashes, 4, index);

  function textOf(number: number): string {
    const start = number === 0 ? 0 : file.numberAt(ends, 4, number - 1);
    const end = file.numberAt(ends, 4, number);
    return Buffer.from(file.read(`${name}.texts`, start, end - start)).toString();
  }

  return {
    textOf,
    /** `undefined`: no record has it. */
    numberOf(text: string): number | undefined {
      const [hash] = hashOf(text);
      for (let index = firstIndex(count, (at) => hashAt(at) >= hash); index < count; index += 1) {
        if (hashAt(index) !== hash) break;
        const number = file.numberAt(numbers, 2, index);
        if (textOf(number) === text) return number;
      }
      // As in `createDictionary`: what is beyond the last number shares it.
      return name === 'reason' && count === MAX_REASONS ? MAX_REASONS - 1 : undefined;
    },
  };
}

/** The texts of a column in a sealed run: by their numbers, or found by a hash. */
import type { RunFile } from './run-file.ts';
import { hashOf } from './run-record.ts';
import { countNumbers, firstIndex, readNumbers } from './run-sections.ts';
import { type DictionaryName, MAX_REASONS } from './run-segment.ts';

export function createSealedDictionary(file: RunFile, name: DictionaryName) {
  const count = countNumbers(file, `${name}.ends`, Uint32Array);
  const hashAt = (index: number) =>
    readNumbers(file, `${name}.hashes`, Uint32Array, index, index + 1)[0] as number;

  function textOf(number: number): string {
    const first = Math.max(0, number - 1);
    const ends = readNumbers(file, `${name}.ends`, Uint32Array, first, number + 1);
    const end = ends.at(-1) as number;
    const start = number === 0 ? 0 : (ends[0] as number);
    return Buffer.from(file.read(`${name}.texts`, start, end - start)).toString();
  }

  return {
    textOf,
    /** `undefined`: no record has it. */
    numberOf(text: string): number | undefined {
      const [hash] = hashOf(text);
      for (let index = firstIndex(count, (at) => hashAt(at) >= hash); index < count; index += 1) {
        if (hashAt(index) !== hash) break;
        const [number] = readNumbers(file, `${name}.numbers`, Uint16Array, index, index + 1);
        if (textOf(number as number) === text) return number;
      }
      // As in `createDictionary`: what is beyond the last number shares it.
      return name === 'reason' && count === MAX_REASONS ? MAX_REASONS - 1 : undefined;
    },
  };
}

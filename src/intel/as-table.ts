/** Decides how AS numbers and names are kept: names stay bytes until one is asked for. */
import type { Container, Section } from './snapshot-container.ts';

export interface AsTable {
  /** Place 0 is "no AS": empty name. */
  nameAt(place: number): string;
}

/** Places in the order of the numbers; place 0 is reserved. */
export function encodeAsTable(names: ReadonlyMap<number, string>): {
  sections: Record<string, Section>;
  placeOf: ReadonlyMap<number, number>;
} {
  const numbers = [0, ...[...names.keys()].sort((a, b) => a - b)];
  const encoded = numbers.map((number) =>
    Buffer.from(number === 0 ? '' : (names.get(number) as string), 'utf8'),
  );
  const offsets = new Uint32Array(numbers.length + 1);
  for (const [place, name] of encoded.entries())
    offsets[place + 1] = (offsets[place] as number) + name.length;
  return {
    sections: {
      'as.offsets': offsets,
      'as.names': Buffer.concat(encoded),
    },
    placeOf: new Map(numbers.map((number, place) => [number, place])),
  };
}

export function openAsTable(container: Container<unknown>): AsTable {
  const offsets = container.u32('as.offsets');
  const bytes = container.u8('as.names');
  const names = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoded = new Array<string | undefined>(offsets.length - 1);
  return {
    nameAt(place) {
      let name = decoded[place];
      if (name === undefined) {
        name = names.toString('utf8', offsets[place], offsets[place + 1]);
        decoded[place] = name;
      }
      return name;
    },
  };
}

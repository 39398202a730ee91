/** Decides how the local part of an address is built, and how likely a program made it up. The table that it knows names from is made by the build. */
import { readFileSync } from 'node:fs';
import { createNameModel, type NameShape } from './name-model.ts';
import { readNameTable } from './name-table.ts';

/** Read at the start, once. */
const model = createNameModel(
  readNameTable(readFileSync(new URL('../../dist/address/names.table', import.meta.url))),
);

/**
 * The shape of the part of an address before the `@`. Tags after `+`, upper case and accents make no difference, and letters of other
 * scripts count as their usual spelling in Latin ones. Never throws; the same text has the same shape.
 */
export function nameShapeOf(local: string): NameShape {
  return model(local);
}

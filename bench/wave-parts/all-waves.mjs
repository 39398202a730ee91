// The waves that are measured, in the order of the table.
import { WAVES_OF_KITS } from './waves-of-kits.mjs';
import { WAVES_OF_ONE } from './waves-of-one.mjs';

export const WAVES = [...WAVES_OF_KITS, ...WAVES_OF_ONE];

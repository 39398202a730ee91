// The innocent crowds that are measured, in the order of the table: people who look like an attack because they come together, or because their names are numbers.
import { CROWDS_FROM_EVERYWHERE } from './crowds-from-everywhere.mjs';
import { CROWDS_OF_INSTITUTIONS } from './crowds-of-institutions.mjs';
import { CROWDS_WITH_IDS } from './crowds-with-ids.mjs';

export const CROWDS = [...CROWDS_OF_INSTITUTIONS, ...CROWDS_WITH_IDS, ...CROWDS_FROM_EVERYWHERE];

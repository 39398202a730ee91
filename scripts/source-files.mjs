// Decides which files of src are built: code, and files that code reads at run time.
import { extname } from 'node:path';

const ASSET_EXTENSIONS = new Set(['.sql', '.json', '.txt', '.html', '.css', '.js', '.svg', '.lua']);
const TEST = /\.(test|suite)\.ts$/;

/** Everything but tests and the suites that they share. */
export const isSource = (name) => !TEST.test(name);

/** Files that are copied as they are. */
export const isAsset = (name) => ASSET_EXTENSIONS.has(extname(name));

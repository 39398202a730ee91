/** Loads packages that are CommonJS. To `import` one, Node.js first searches all of its text for names, which took a tenth of a start. */
import { createRequire } from 'node:module';

/** Give it the name of a package, and its result the type `typeof import('…')`. */
export const requirePackage = createRequire(import.meta.url);
